import { Injectable } from '@nestjs/common';
import type { SealedRow, SealedTable } from '../../common/platform/crypto/sealed-tables.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { ConnectionEntity } from './connection.entity.js';
import { placeOf, type SealedConnection } from './connection.js';

/** One refusal may be the upstream's own trouble. */
const refusalsUntilRejected = 2;
/** Of the key that seals the row, as the envelope writes it. */
const keyId = `split_part(row.sealed_token, '.', 2)`;

@Injectable()
export class ConnectionsRepository implements SealedTable {
  readonly name = 'tool_connection';

  constructor(private readonly tx: Transactions) {}

  find(organizationId: string, provider: string): Promise<ConnectionEntity | null> {
    return this.#rows.findOneBy({ organizationId, provider });
  }

  /** Replaces the workspace's connection as a whole: token, organization and identity change in one statement. */
  async replace(connection: SealedConnection): Promise<void> {
    await this.#rows
      .createQueryBuilder()
      .insert()
      .values({
        id: connection.id,
        organizationId: connection.organizationId,
        provider: connection.provider,
        upstreamOrganizationId: connection.upstreamOrganizationId,
        sealedToken: connection.sealedToken,
        status: 'saved',
        rejections: 0,
        lastVerifiedAt: null,
        lastUsedAt: null,
        updatedBy: connection.updatedBy,
      })
      .orUpdate(
        [
          'id',
          'upstream_organization_id',
          'sealed_token',
          'status',
          'rejections',
          'last_verified_at',
          'last_used_at',
          'updated_at',
          'updated_by',
        ],
        ['organization_id', 'provider'],
      )
      .execute();
  }

  /** The upstream took the token. What was learned of an older token changes nothing. */
  async noteAccepted(id: string): Promise<void> {
    await this.#rows
      .createQueryBuilder()
      .update()
      .set({ status: 'verified', rejections: 0, lastVerifiedAt: () => 'now()' })
      .where({ id })
      .execute();
  }

  /** The upstream refused the token. */
  async noteRefused(id: string): Promise<void> {
    await this.#rows
      .createQueryBuilder()
      .update()
      .set({
        rejections: () => 'rejections + 1',
        status: () => `CASE WHEN rejections + 1 >= ${refusalsUntilRejected} THEN 'rejected' ELSE status END`,
      })
      .where({ id })
      .execute();
  }

  /** Written at most once a minute, however often it is used. */
  async noteUsed(id: string): Promise<void> {
    await this.#rows
      .createQueryBuilder()
      .update()
      .set({ lastUsedAt: () => 'now()' })
      .where({ id })
      .andWhere(`(last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`)
      .execute();
  }

  async remove(organizationId: string, provider: string): Promise<void> {
    await this.#rows.delete({ organizationId, provider });
  }

  async countByKey(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#rows
      .createQueryBuilder('row')
      .select(keyId, 'key')
      .addSelect('count(*)::int', 'rows')
      .groupBy('1')
      .orderBy('1')
      .getRawMany<{ key: string; rows: number }>();
    return new Map(rows.map(({ key, rows: count }) => [key, count]));
  }

  async notSealedBy(activeId: string, afterId: string, limit: number): Promise<readonly SealedRow[]> {
    const rows = await this.#rows
      .createQueryBuilder('row')
      .where(`${keyId} <> :activeId`, { activeId })
      .andWhere('row.id > :afterId', { afterId })
      .orderBy('row.id')
      .limit(limit)
      .getMany();
    return rows.map((row) => ({ id: row.id, sealed: row.sealedToken, place: placeOf(row) }));
  }

  async replaceSealed({ id, sealed }: SealedRow, renewed: string): Promise<boolean> {
    const { affected } = await this.#rows.update({ id, sealedToken: sealed }, { sealedToken: renewed });
    return affected === 1;
  }

  get #rows() {
    return this.tx.manager.getRepository(ConnectionEntity);
  }
}
