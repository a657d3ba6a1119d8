import { Injectable } from '@nestjs/common';
import { Envelope } from '../../common/platform/crypto/envelope.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { connectionOf } from './connection.mapper.js';
import { noConnection, placeOf, type ToolConnection } from './connection.js';
import { ConnectionsRepository } from './connections.repository.js';

/** The workspace's own credential at Treg, encrypted under a key of its own. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly envelope: Envelope,
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
    savedBy: string,
  ): Promise<ToolConnection> {
    const draft = { id: `con_${this.ids.next()}`, organizationId, upstreamOrganizationId };
    const forget = this.log.secrets.add(apiKey);
    try {
      const sealedToken = await this.envelope.seal(apiKey, placeOf(draft));
      await this.connections.replace({ ...draft, sealedToken, updatedBy: savedBy });
    } finally {
      forget();
    }
    return this.read(organizationId);
  }

  /** Removing what is not there is no mistake. */
  async remove(organizationId: string): Promise<ToolConnection> {
    await this.connections.remove(organizationId);
    return noConnection;
  }
}
