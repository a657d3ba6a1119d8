import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Transactions } from '../../../common/platform/database/transactions.js';
import type { CredentialKind } from './api-key-format.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { apiKeyOf } from './api-key.mapper.js';
import type { ApiKey, NewApiKey } from './api-key.js';

/** A key with the digests its secret is proved by. */
export interface ProvableKey {
  readonly key: ApiKey;
  readonly digest: Buffer;
  readonly previousDigest: Buffer | null;
}

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly tx: Transactions) {}

  async findProvable(id: string): Promise<ProvableKey | null> {
    const row = await this.#rows.findOneBy({ id });
    return row && { key: apiKeyOf(row), digest: row.digest, previousDigest: row.previousDigest };
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
  async insert(id: string, digest: Buffer, { task, ...key }: NewApiKey): Promise<ApiKey | null> {
    const row = this.#rows.create({
      ...key,
      id,
      digest,
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
    digest: Buffer,
    previousUntil: Date,
  ): Promise<boolean> {
    const { affected } = await this.#rows
      .createQueryBuilder()
      .update()
      .set({ digest, previousUntil, previousDigest: () => 'digest', revision: () => 'revision + 1' })
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
