import { Injectable } from '@nestjs/common';
import { Envelope } from '../../common/platform/crypto/envelope.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { type Actor, AuditTrail } from '../access/index.js';
import { connectionOf } from './connection.mapper.js';
import { noConnection, placeOf, type ToolConnection } from './connection.js';
import { ConnectionsRepository } from './connections.repository.js';

/** The workspace's own credential at Treg, encrypted under a key of its own. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly envelope: Envelope,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
    private readonly ids: UuidV7,
    private readonly log: HelixLog,
  ) {}

  /** Whether there is a connection, and in what state; a token that cannot be opened is `unreadable`, not a failure. */
  async read(organizationId: string): Promise<ToolConnection> {
    const row = await this.connections.find(organizationId);
    if (row === null) return noConnection;
    const isReadable = await this.envelope.open(row.sealedToken, placeOf(row)).then(
      () => true,
      () => false,
    );
    return connectionOf(row, isReadable);
  }

  /** Replaces what was there. The token is only saved: a wrong one shows when it is used. */
  async save(
    organizationId: string,
    { apiKey, upstreamOrganizationId }: { readonly apiKey: string; readonly upstreamOrganizationId: string },
    actor: Actor,
  ): Promise<ToolConnection> {
    const draft = { id: `con_${this.ids.next()}`, organizationId, upstreamOrganizationId };
    const forget = this.log.secrets.add(apiKey);
    try {
      const sealedToken = await this.envelope.seal(apiKey, placeOf(draft));
      await this.tx.run(async () => {
        await this.connections.replace({ ...draft, sealedToken, updatedBy: actor.id });
        await this.#tell('connection.save', organizationId, actor);
      });
    } finally {
      forget();
    }
    return this.read(organizationId);
  }

  /** Removing what is not there is no mistake. */
  remove(organizationId: string, actor: Actor): Promise<ToolConnection> {
    return this.tx.run(async () => {
      await this.connections.remove(organizationId);
      await this.#tell('connection.remove', organizationId, actor);
      return noConnection;
    });
  }

  #tell(
    action: 'connection.save' | 'connection.remove',
    organizationId: string,
    actor: Actor,
  ): Promise<void> {
    return this.audit.record({ action, organizationId, actor, target: 'treg' });
  }
}
