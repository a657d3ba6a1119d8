import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { isMemberRole } from '../../access/index.js';
import { InvitationEntity } from '../entities/invitation.entity.js';
import type { Invitation } from './invitation.js';

@Injectable()
export class InvitationsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Those that can still be accepted, oldest first. */
  async list(organizationId: string): Promise<Invitation[]> {
    const rows = await this.#rows.find({
      where: { organizationId, expiresAt: MoreThan(new Date()) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return rows.map(invitationOf);
  }

  async find(organizationId: string, id: string): Promise<Invitation | null> {
    const row = await this.#rows.findOneBy({ organizationId, id });
    return row && invitationOf(row);
  }

  async insert(invitation: Omit<Invitation, 'createdAt'>, digest: Buffer): Promise<void> {
    await this.#rows.insert({ ...invitation, digest });
  }

  /** Takes the invitation out, so that it is accepted once; null where the token fits none, or it has expired. */
  async take(digest: Buffer): Promise<Invitation | null> {
    const row = await this.#rows.findOne({
      where: { digest, expiresAt: MoreThan(new Date()) },
      lock: { mode: 'pessimistic_write' },
    });
    if (row === null) return null;
    await this.#rows.delete({ id: row.id });
    return invitationOf(row);
  }

  /** Without taking it; null where the token fits none, or it has expired. */
  async peek(digest: Buffer): Promise<Invitation | null> {
    const row = await this.#rows.findOneBy({ digest, expiresAt: MoreThan(new Date()) });
    return row && invitationOf(row);
  }

  async remove(id: string): Promise<void> {
    await this.#rows.delete({ id });
  }

  get #rows() {
    return this.tx.manager.getRepository(InvitationEntity);
  }
}

function invitationOf(row: InvitationEntity): Invitation {
  const { id, organizationId, email, projectId, invitedBy, expiresAt, createdAt } = row;
  const role = isMemberRole(row.role) ? row.role : 'collaborator';
  const access = row.access === 'write' || row.access === 'read' ? row.access : null;
  return { id, organizationId, email, role, projectId, access, invitedBy, expiresAt, createdAt };
}
