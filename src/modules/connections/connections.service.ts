import { Injectable } from '@nestjs/common';
import { Envelope } from '../../common/platform/crypto/envelope.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { type Actor, AuditTrail } from '../access/index.js';
import { connectionOf } from './connection.mapper.js';
import { TregClient } from '../treg/index.js';
import { noConnection, placeOf, type ToolConnection, type UsableConnection } from './connection.js';
import { ConnectionsRepository } from './connections.repository.js';

/** How long the upstream may take to say whether it takes a token. */
const verifyMs = 10_000;

/** A workspace's own credentials at Treg and at MCP servers, each encrypted under a key of its own. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly envelope: Envelope,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
    private readonly ids: UuidV7,
    private readonly treg: TregClient,
    private readonly log: HelixLog,
  ) {}

  /** Whether there is a connection, and in what state; a token that cannot be opened is `unreadable`, not a failure. */
  async read(organizationId: string, provider: string): Promise<ToolConnection> {
    const row = await this.connections.find(organizationId, provider);
    if (row === null) return noConnection(provider);
    const isReadable = await this.envelope.open(row.sealedToken, placeOf(row)).then(
      () => true,
      () => false,
    );
    return connectionOf(row, isReadable);
  }

  /** The workspace's credential; null where there is none, or none that the upstream would take. */
  async open(organizationId: string, provider: string): Promise<UsableConnection | null> {
    const row = await this.connections.find(organizationId, provider);
    if (row === null || row.status === 'rejected') return null;
    const { id, upstreamOrganizationId } = row;
    try {
      const token = await this.envelope.open(row.sealedToken, placeOf(row));
      return { id, token, upstreamOrganizationId };
    } catch {
      return null;
    }
  }

  /** What its use showed of a connection. A failure to write it down is nobody's failure. */
  async note(id: string, seen: 'used' | 'accepted' | 'refused'): Promise<void> {
    try {
      if (seen === 'used') await this.connections.noteUsed(id);
      else if (seen === 'accepted') await this.connections.noteAccepted(id);
      else await this.connections.noteRefused(id);
    } catch (error) {
      this.log.write('warn', 'What was learned of a connection could not be written down.', { error });
    }
  }

  /** Replaces what was there. A wrong token is not refused: the check that follows shows it in the state. */
  async save(
    organizationId: string,
    provider: string,
    { apiKey, upstreamOrganizationId }: { readonly apiKey: string; readonly upstreamOrganizationId: string },
    actor: Actor,
  ): Promise<ToolConnection> {
    const draft = { id: `con_${this.ids.next()}`, organizationId, provider, upstreamOrganizationId };
    const forget = this.log.secrets.add(apiKey);
    try {
      const sealedToken = await this.envelope.seal(apiKey, placeOf(draft));
      await this.tx.run(async () => {
        await this.connections.replace({ ...draft, sealedToken, updatedBy: actor.id });
        await this.#tell('connection.save', draft, actor);
      });
    } finally {
      forget();
    }
    if (provider === 'treg') void this.#verify(organizationId);
    return this.read(organizationId, provider);
  }

  /** Removing what is not there is no mistake. */
  remove(organizationId: string, provider: string, actor: Actor): Promise<ToolConnection> {
    return this.tx.run(async () => {
      await this.connections.remove(organizationId, provider);
      await this.#tell('connection.remove', { organizationId, provider }, actor);
      return noConnection(provider);
    });
  }

  /** Asks Treg whether it takes the token; after the answer, since Treg may be slow. */
  async #verify(organizationId: string): Promise<void> {
    const usable = await this.open(organizationId, 'treg').catch(() => null);
    if (usable === null) return;
    const forget = this.log.secrets.add(usable.token);
    try {
      const credential = { token: usable.token.reveal(), organizationId: usable.upstreamOrganizationId };
      const answer = await this.treg.verify(credential, AbortSignal.timeout(verifyMs));
      if (answer !== 'unreachable')
        await this.note(usable.id, answer === 'verified' ? 'accepted' : 'refused');
    } finally {
      forget();
    }
  }

  #tell(
    action: 'connection.save' | 'connection.remove',
    { organizationId, provider }: { readonly organizationId: string; readonly provider: string },
    actor: Actor,
  ): Promise<void> {
    return this.audit.record({ action, organizationId, actor, target: provider });
  }
}
