import { Injectable } from '@nestjs/common';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { Transactions } from '../../../common/platform/database/transactions.js';
import {
  type Actor,
  actorOf,
  AuditTrail,
  type AuthContext,
  checkRevision,
  type MemberRole,
  SessionLevel,
} from '../../access/index.js';
import type { Member } from '../organization.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { MembersRepository } from './members.repository.js';

/** Who belongs to a workspace, and as what. A workspace always keeps an owner. */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
    private readonly sessions: SessionLevel,
  ) {}

  list(organizationId: string): Promise<Member[]> {
    return this.members.list(organizationId);
  }

  /** Makes a person a member. @throws HelixError `ACCESS.ALREADY_A_MEMBER` */
  add(organizationId: string, userId: string, role: MemberRole, actor: Actor): Promise<Member> {
    return this.tx.run(async () => {
      await this.organizations.lock(organizationId);
      if ((await this.members.find(organizationId, userId)) !== null)
        throw new HelixError('ACCESS.ALREADY_A_MEMBER', 'The person is a member of the workspace already.');
      await this.members.add(organizationId, userId, role);
      await this.audit.record({
        action: 'member.add',
        organizationId,
        actor,
        target: userId,
        details: { role },
      });
      return this.#found(organizationId, userId);
    });
  }

  /**
   * Owners are made, and made less, by owners only, in person.
   * @throws HelixError `ACCESS.SESSION_REQUIRED`, `ACCESS.UNVERIFIED_SESSION`, `ACCESS.UNKNOWN_MEMBER`, `ACCESS.INSUFFICIENT_ROLE`, `ACCESS.LAST_OWNER`, `ACCESS.STALE_REVISION`
   */
  changeRole(auth: AuthContext, userId: string, role: MemberRole, revision: number | null): Promise<Member> {
    const { organizationId } = auth;
    return this.tx.run(async () => {
      const before = await this.#lock(organizationId, userId, revision);
      if (before.role === role) return before;
      if (role === 'owner' || before.role === 'owner') {
        refuseUnlessOwner(auth);
        await this.sessions.check(auth.identity, 'verified');
      }
      if (before.role === 'owner') await this.#keepAnOwner(organizationId);
      await this.members.changeRole(organizationId, userId, role);
      const details = { role, before: before.role };
      await this.audit.record({
        action: 'member.update',
        organizationId,
        actor: actorOf(auth),
        target: userId,
        details,
      });
      return this.#found(organizationId, userId);
    });
  }

  /**
   * Ends a membership, and with it every key that stands on it. Members may leave by themselves; others are removed by
   * administrators, owners by owners.
   * @throws HelixError `ACCESS.UNKNOWN_MEMBER`, `ACCESS.INSUFFICIENT_ROLE`, `ACCESS.LAST_OWNER`, `ACCESS.STALE_REVISION`
   */
  remove(auth: AuthContext, userId: string, revision: number | null): Promise<Member> {
    const { organizationId } = auth;
    return this.tx.run(async () => {
      const member = await this.#lock(organizationId, userId, revision);
      if (userId !== auth.identity.userId) {
        if (auth.role === 'member')
          throw new HelixError('ACCESS.INSUFFICIENT_ROLE', 'A member can remove nobody but themselves.');
        if (member.role === 'owner') refuseUnlessOwner(auth);
      }
      if (member.role === 'owner') await this.#keepAnOwner(organizationId);
      await this.members.remove(organizationId, userId);
      const details = { role: member.role };
      await this.audit.record({
        action: 'member.remove',
        organizationId,
        actor: actorOf(auth),
        target: userId,
        details,
      });
      return member;
    });
  }

  /** The workspace is locked as well: two owners who leave at once would each still see the other. */
  async #lock(organizationId: string, userId: string, revision: number | null): Promise<Member> {
    await this.organizations.lock(organizationId);
    const member = await this.#found(organizationId, userId);
    checkRevision(member.revision, revision);
    return member;
  }

  async #found(organizationId: string, userId: string): Promise<Member> {
    const member = await this.members.find(organizationId, userId);
    if (member === null)
      throw new HelixError('ACCESS.UNKNOWN_MEMBER', 'There is no such member in this workspace.');
    return member;
  }

  async #keepAnOwner(organizationId: string): Promise<void> {
    if ((await this.members.countOwners(organizationId)) > 1) return;
    throw new HelixError(
      'ACCESS.LAST_OWNER',
      'This is the last owner of the workspace: make somebody else an owner first.',
    );
  }
}

function refuseUnlessOwner({ role }: AuthContext): void {
  if (role === 'owner') return;
  throw new HelixError('ACCESS.INSUFFICIENT_ROLE', 'Only an owner makes or unmakes owners.');
}
