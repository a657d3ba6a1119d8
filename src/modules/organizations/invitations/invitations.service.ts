import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { UuidV7 } from '../../../common/platform/database/uuid-v7.js';
import { validationFailed } from '../../../common/platform/http/json/json-text.js';
import {
  type Actor,
  actorOf,
  AuditTrail,
  type AuthContext,
  FailedAttempts,
  hashPassword,
  type Person,
  SessionLevel,
} from '../../access/index.js';
import { MembersService } from '../members/members.service.js';
import { PeopleService } from '../people/people.service.js';
import { CollaboratorsService } from '../projects/collaborators.service.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import {
  type Invitation,
  invitationLifetimeMs,
  type NewInvitation,
  type SentInvitation,
} from './invitation.js';
import { InvitationsRepository } from './invitations.repository.js';

/** What somebody without an account gives to have one. */
export interface NewAccount {
  readonly name: string | undefined;
  readonly password: string | undefined;
}

/**
 * How people come into a workspace. Whoever invites gets a token and passes it on; whether the address has an account
 * already is told to nobody but its holder.
 */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly projects: ProjectsRepository,
    private readonly members: MembersService,
    private readonly collaborators: CollaboratorsService,
    private readonly people: PeopleService,
    private readonly attempts: FailedAttempts,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
    private readonly sessions: SessionLevel,
    private readonly ids: UuidV7,
  ) {}

  /** Those that can still be accepted, oldest first. */
  list(organizationId: string): Promise<Invitation[]> {
    return this.invitations.list(organizationId);
  }

  /** @throws HelixError `ACCESS.INSUFFICIENT_ROLE`, `CALL.UNKNOWN_PROJECT` */
  async send(auth: AuthContext, draft: NewInvitation): Promise<SentInvitation> {
    const { organizationId, identity } = auth;
    if (draft.role === 'owner' && auth.role !== 'owner')
      throw new HelixError('ACCESS.INSUFFICIENT_ROLE', 'Only an owner makes or unmakes owners.');
    if (draft.role === 'owner') await this.sessions.check(identity, 'verified');
    const token = randomBytes(32).toString('base64url');
    return this.tx.run(async () => {
      if (draft.projectId !== null && !(await this.projects.exists(organizationId, draft.projectId)))
        throw new HelixError('CALL.UNKNOWN_PROJECT', 'No such project in this workspace.');
      const id = `inv_${this.ids.next()}`;
      const email = draft.email.toLowerCase();
      const expiresAt = new Date(Date.now() + invitationLifetimeMs);
      const row = { ...draft, id, email, organizationId, invitedBy: identity.userId, expiresAt };
      await this.invitations.insert(row, digestOf(token));
      const details = { email, role: draft.role, projectId: draft.projectId, access: draft.access };
      const actor = actorOf(auth);
      await this.audit.record({ action: 'invitation.create', organizationId, actor, target: id, details });
      return { invitation: await this.#found(organizationId, id), token };
    });
  }

  /** @throws HelixError `ACCESS.UNKNOWN_INVITATION` */
  revoke(auth: AuthContext, id: string): Promise<Invitation> {
    const { organizationId } = auth;
    return this.tx.run(async () => {
      const invitation = await this.#found(organizationId, id);
      await this.invitations.remove(id);
      const { email } = invitation;
      const actor = actorOf(auth);
      await this.audit.record({
        action: 'invitation.revoke',
        organizationId,
        actor,
        target: id,
        details: { email },
      });
      return invitation;
    });
  }

  /**
   * Accepts an invitation once: for the person of a session, whose address must be the invited one, else for a new
   * account. Holding the token proves the address.
   * @throws HelixError `ACCESS.UNKNOWN_INVITATION`, `ACCESS.ACCOUNT_EXISTS`, `ACCESS.ALREADY_A_MEMBER`,
   *   `ACCESS.RATE_LIMITED`, `HTTP.VALIDATION_FAILED`
   */
  async accept(
    token: string,
    who: { readonly person: Person | null; readonly account: NewAccount },
    address: string,
  ): Promise<Invitation> {
    const digest = digestOf(token);
    const seen = await this.#peek(digest, address);
    if (who.person !== null && who.person.email !== seen.email)
      throw new HelixError(
        'ACCESS.UNKNOWN_INVITATION',
        'The invitation is for another account: log in with that one.',
      );
    const draft = who.person === null ? await this.#draft(who.account, seen.email) : null;
    return this.tx.run(async () => {
      const invitation = await this.invitations.take(digest);
      if (invitation === null) throw unknownInvitation();
      const userId = draft === null ? (who.person?.id ?? '') : await this.people.add(draft);
      await this.#admit(invitation, userId, { type: 'user', id: userId, userId, address });
      return invitation;
    });
  }

  async #peek(digest: Buffer, address: string): Promise<Invitation> {
    const places = [`invitation ${address}`];
    const wait = this.attempts.claim(places);
    if (wait !== null) throw wait;
    const invitation = await this.invitations.peek(digest);
    if (invitation === null) throw unknownInvitation();
    this.attempts.forgive(places);
    return invitation;
  }

  /** Hashed before the transaction begins: it takes a tenth of a second. */
  async #draft({ name, password }: NewAccount, email: string) {
    if ((await this.people.findByEmail(email)) !== null)
      throw new HelixError(
        'ACCESS.ACCOUNT_EXISTS',
        'There is an account with this e-mail address: log in with it, then accept the invitation.',
      );
    if (name === undefined || password === undefined)
      throw validationFailed(
        Object.entries({ name, password })
          .filter(([, value]) => value === undefined)
          .map(([field]) => ({
            path: `/${field}`,
            code: 'required',
            message: `${field} is required for a new account.`,
          })),
      );
    return { name, email, passwordHash: await hashPassword(password), isVerified: true };
  }

  async #admit(invitation: Invitation, userId: string, actor: Actor): Promise<void> {
    const { organizationId, role, projectId, access } = invitation;
    if (role !== 'collaborator') await this.members.add(organizationId, userId, role, actor);
    else if (projectId !== null)
      await this.collaborators.grant({ organizationId, projectId, userId }, access ?? 'read', null, actor);
  }

  async #found(organizationId: string, id: string): Promise<Invitation> {
    const invitation = await this.invitations.find(organizationId, id);
    if (invitation === null) throw unknownInvitation();
    return invitation;
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function unknownInvitation(): HelixError {
  return new HelixError(
    'ACCESS.UNKNOWN_INVITATION',
    'There is no such invitation, or it was used or has expired.',
  );
}
