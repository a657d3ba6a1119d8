import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { KeyedTable } from '../../../common/platform/crypto/sealed-tables.js';
import { Transactions } from '../../../common/platform/database/transactions.js';
import type { CredentialKind } from './api-key-format.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { apiKeyOf } from './api-key.mapper.js';
import type { ApiKey, NewApiKey } from './api-key.js';
import type { Digest } from './pepper.js';

/** A key with the digests its secret is proved by. */
export interface ProvableKey {
  readonly key: ApiKey;
  readonly digest: Buffer;
  /** Key of the ring it was made with; null: not known. */
  readonly ringKeyId: string | null;
  readonly previousDigest: Buffer | null;
}

@Injectable()
export class ApiKeysRepository implements KeyedTable {
  readonly name = 'api_key';

  constructor(private readonly tx: Transactions) {}

  async findProvable(id: string): Promise<ProvableKey | null> {
    const row = await this.#rows.findOneBy({ id });
    if (row === null) return null;
    const { digest, ringKeyId, previousDigest } = row;
    return { key: apiKeyOf(row), digest, ringKeyId, previousDigest };
  }

  async find(organizationId: string, id: string, kind: CredentialKind): Promise<ApiKey | null> {
    const row = await this.#rows.findOneBy({ organizationId, id, kind });
    return row && apiKeyOf(row);
  }

  /** Until the open transaction ends nobody else changes the key. */
  async lock(organizationId: string, id: string, kind: CredentialKind): Promise<ApiKey | null> {
    const row = await this.#rows.findOne({
      where: { organizationId, id, kind },
      lock: { mode: 'for_no_key_update' },
    });
    return row && apiKeyOf(row);
  }

  async list(organizationId: string, kind: CredentialKind): Promise<ApiKey[]> {
    const rows = await this.#rows.find({
      where: { organizationId, kind },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return rows.map(apiKeyOf);
  }

  /** @returns null where the id is taken */
  async insert(id: string, digest: Digest, { task, ...key }: NewApiKey): Promise<ApiKey | null> {
    const row = this.#rows.create({
      ...key,
      id,
      digest: digest.bytes,
      ringKeyId: digest.keyId,
      kind: task ? 'task' : 'sk',
      operations: task ? [...task.operations] : null,
      toolIds: task?.toolIds ? [...task.toolIds] : null,
      scopes: [...key.scopes],
      projectIds: key.projectIds && [...key.projectIds],
    });
    // Not by catching the violation: that would have ended the transaction this may be a part of.
    const { raw } = await this.#rows
      .createQueryBuilder()
      .insert()
      .values(row)
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as unknown[]).length === 0 ? null : this.find(key.organizationId, id, task ? 'task' : 'sk');
  }

  /** The present secret becomes the previous one; only a key that is not revoked has secrets. */
  async replaceDigest(
    organizationId: string,
    id: string,
    digest: Digest,
    previousUntil: Date,
  ): Promise<boolean> {
    const { affected } = await this.#rows
      .createQueryBuilder()
      .update()
      .set({
        digest: digest.bytes,
        ringKeyId: digest.keyId,
        previousUntil,
        previousDigest: () => 'digest',
        previousRingKeyId: () => 'ring_key_id',
        revision: () => 'revision + 1',
      })
      .where({ organizationId, id, revokedAt: IsNull() })
      .execute();
    return affected === 1;
  }

  /** Revokes the key; one that was revoked before keeps its time. */
  async revoke(organizationId: string, id: string): Promise<void> {
    await this.#rows.update(
      { organizationId, id, revokedAt: IsNull() },
      { revokedAt: () => 'now()', revision: () => 'revision + 1' },
    );
  }

  /** The same secret under another key of the ring, unless somebody changed it meanwhile. */
  async renewDigest(id: string, before: Buffer, { keyId: ringKeyId, bytes: digest }: Digest): Promise<void> {
    await this.#rows.update({ id, digest: before }, { digest, ringKeyId });
  }

  /** Live credentials by the key of the ring that proves them, those of before a rotation included while they are good. */
  async countByKey(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.tx.manager.query<{ key: string; rows: number }[]>(
      `SELECT coalesce(ring.id, '') AS key, count(*)::int AS rows FROM api_key, LATERAL (
         SELECT ring_key_id AS id UNION ALL SELECT previous_ring_key_id WHERE previous_until > now()) AS ring
       WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) GROUP BY 1 ORDER BY 1`,
    );
    return new Map(rows.map(({ key, rows: count }) => [key, count]));
  }

  /** Unless another node noted one within the last minute. */
  async noteUse(id: string): Promise<void> {
    await this.#rows
      .createQueryBuilder()
      .update()
      .set({ lastUsedAt: () => 'now()' })
      .where({ id })
      .andWhere(`(last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`)
      .execute();
  }

  get #rows() {
    return this.tx.manager.getRepository(ApiKeyEntity);
  }
}
