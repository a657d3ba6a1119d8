import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { PageCursors } from '../../common/platform/crypto/page-cursors.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { currentRequestId } from '../../common/platform/http/request-context.js';
import type { AuditEvent, AuditTrail } from '../access/index.js';
import type { AuditEntry } from './audit-entry.js';
import { AuditRepository } from './audit.repository.js';

/** Keeps the audit log; fills the port by which every administrative change is told. */
@Injectable()
export class AuditService implements AuditTrail {
  constructor(
    private readonly entries: AuditRepository,
    private readonly tx: Transactions,
    private readonly cursors: PageCursors,
    private readonly ids: UuidV7,
  ) {}

  async record({ action, organizationId, actor, target, details = {} }: AuditEvent): Promise<void> {
    if (!this.tx.isOpen)
      throw new HelixError('ENGINE.INTERNAL', `${action} is told outside the transaction that did it.`);
    await this.entries.append({
      id: `aud_${this.ids.next()}`,
      organizationId,
      action,
      actorType: actor.type,
      actorId: actor.id,
      userId: actor.userId,
      target,
      details,
      address: actor.address,
      requestId: currentRequestId() ?? null,
    });
  }

  /**
   * Newest first.
   * @throws HelixError `HTTP.INVALID_CURSOR`
   */
  async list(
    organizationId: string,
    page: { readonly action: string | null; readonly limit: number; readonly cursor: string | undefined },
  ): Promise<{ items: AuditEntry[]; nextCursor: string | null }> {
    const filter = { organizationId, action: page.action };
    const list = { list: 'audit-log', filter };
    const after = page.cursor === undefined ? null : this.cursors.read(page.cursor, list);
    const { entries, next } = await this.entries.list(filter, after, page.limit);
    return { items: entries, nextCursor: next && this.cursors.write(next, list) };
  }
}
