import { Injectable } from '@nestjs/common';
import { type PagePosition, positionOf } from '../../common/platform/crypto/page-cursors.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { auditEntryOf } from './audit-entry.mapper.js';
import type { AuditEntry } from './audit-entry.js';

@Injectable()
export class AuditRepository {
  constructor(private readonly tx: Transactions) {}

  async append(entry: Omit<AuditEntry, 'createdAt'>): Promise<void> {
    await this.#rows.insert({ ...entry, details: { ...entry.details } });
  }

  /** Newest first. */
  async list(
    { organizationId, action }: { readonly organizationId: string; readonly action: string | null },
    after: PagePosition | null,
    limit: number,
  ): Promise<{ entries: AuditEntry[]; next: PagePosition | null }> {
    const query = this.#rows
      .createQueryBuilder('entry')
      .addSelect(positionOf('entry.created_at'), 'position')
      .where('entry.organizationId = :organizationId', { organizationId })
      .orderBy('entry.createdAt', 'DESC')
      .addOrderBy('entry.id', 'DESC')
      .limit(limit + 1);
    if (action !== null) query.andWhere('entry.action = :action', { action });
    if (after !== null)
      query.andWhere(`(entry.created_at, entry.id) < (:createdAt::timestamp AT TIME ZONE 'UTC', :afterId)`, {
        createdAt: after.createdAt,
        afterId: after.id,
      });
    const { entities, raw } = await query.getRawAndEntities<{ position: string }>();
    const entries = entities.slice(0, limit).map(auditEntryOf);
    const last = entities.length > limit ? entries.at(-1) : undefined;
    const createdAt = raw[limit - 1]?.position;
    return { entries, next: last && createdAt !== undefined ? { createdAt, id: last.id } : null };
  }

  get #rows() {
    return this.tx.manager.getRepository(AuditEntryEntity);
  }
}
