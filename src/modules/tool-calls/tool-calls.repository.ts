import { Injectable } from '@nestjs/common';
import { Brackets } from 'typeorm';
import { type PagePosition, positionOf } from '../../common/platform/crypto/page-cursors.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { ToolCallEntity } from './tool-call.entity.js';
import { callOf, finalCostOf, type StoredCall, summaryOf } from './tool-call.mapper.js';
import type { CallStatus, FinalCost, ToolCallSummary } from './tool-call.js';

export interface CallFilter {
  readonly organizationId: string;
  /** null: calls of every project and of none. */
  readonly projectIds: readonly string[] | null;
}

const summaryColumns = [
  'id',
  'organizationId',
  'projectId',
  'toolId',
  'provider',
  'idempotencyKey',
  'status',
  'resultTruncated',
  'error',
  'fundingRequested',
  'fundingSource',
  'costStatus',
  'accountingService',
  'reservedMicros',
  'actualMicros',
  'chargedMicros',
  'costReference',
  'settledAt',
  'createdByType',
  'createdById',
  'attempts',
  'createdAt',
  'startedAt',
  'completedAt',
  'updatedAt',
] as const satisfies readonly (keyof ToolCallEntity)[];

@Injectable()
export class ToolCallsRepository {
  constructor(private readonly tx: Transactions) {}

  async find(organizationId: string, id: string): Promise<StoredCall | null> {
    const row = await this.#rows.findOneBy({ id, organizationId });
    return row && callOf(row);
  }

  async findByKey(organizationId: string, idempotencyKey: string): Promise<StoredCall | null> {
    const row = await this.#rows.findOneBy({ organizationId, idempotencyKey });
    return row && callOf(row);
  }

  /** Who ended a call, and how; null where there is no such call. */
  async findEnd(id: string): Promise<{
    leaseOwner: string | null;
    status: CallStatus;
    completedAt: Date | null;
    cost: FinalCost;
  } | null> {
    const row = await this.#rows.findOne({
      where: { id },
      select: {
        id: true,
        leaseOwner: true,
        status: true,
        completedAt: true,
        costStatus: true,
        actualMicros: true,
        chargedMicros: true,
        costReference: true,
        settledAt: true,
      },
    });
    return (
      row && {
        leaseOwner: row.leaseOwner,
        status: row.status as CallStatus,
        completedAt: row.completedAt,
        cost: finalCostOf(row),
      }
    );
  }

  /** Newest first. */
  async list(
    filter: CallFilter,
    after: PagePosition | null,
    limit: number,
  ): Promise<{ calls: ToolCallSummary[]; next: PagePosition | null }> {
    const query = this.#rows
      .createQueryBuilder('call')
      .select(summaryColumns.map((column) => `call.${column}`))
      .addSelect(positionOf('call.created_at'), 'position')
      .where('call.organizationId = :organizationId', { organizationId: filter.organizationId })
      .orderBy('call.createdAt', 'DESC')
      .addOrderBy('call.id', 'DESC')
      .limit(limit + 1);
    if (filter.projectIds !== null)
      query.andWhere('call.projectId = ANY (:projectIds)', { projectIds: filter.projectIds });
    if (after !== null)
      query.andWhere(
        new Brackets((where) =>
          where.where(`(call.created_at, call.id) < (:createdAt::timestamp AT TIME ZONE 'UTC', :id)`, after),
        ),
      );
    const { entities, raw } = await query.getRawAndEntities<{ position: string }>();
    const calls = entities.slice(0, limit).map(summaryOf);
    const last = entities.length > limit ? calls.at(-1) : undefined;
    const createdAt = raw[limit - 1]?.position;
    return { calls, next: last && createdAt !== undefined ? { createdAt, id: last.id } : null };
  }

  get #rows() {
    return this.tx.manager.getRepository(ToolCallEntity);
  }
}
