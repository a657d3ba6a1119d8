import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/platform/database/transactions.js';
import { ConnectionEntity } from './connection.entity.js';
import type { SealedConnection } from './connection.js';

const provider = 'treg';

@Injectable()
export class ConnectionsRepository {
  constructor(private readonly tx: Transactions) {}

  find(organizationId: string): Promise<ConnectionEntity | null> {
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
        provider,
        upstreamOrganizationId: connection.upstreamOrganizationId,
        sealedToken: connection.sealedToken,
        status: 'saved',
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
          'last_verified_at',
          'last_used_at',
          'updated_at',
          'updated_by',
        ],
        ['organization_id', 'provider'],
      )
      .execute();
  }

  async remove(organizationId: string): Promise<void> {
    await this.#rows.delete({ organizationId, provider });
  }

  get #rows() {
    return this.tx.manager.getRepository(ConnectionEntity);
  }
}
