import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { type Actor, AuditTrail, checkRevision, type Memberships, type Standing } from '../access/index.js';
import { MembersRepository } from './members/members.repository.js';
import type { Membership, Organization } from './organization.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { PeopleRepository } from './people/people.repository.js';
import { ProjectsRepository } from './projects/projects.repository.js';

/** Workspaces; fills the port by which access asks who may act where. */
@Injectable()
export class OrganizationsService implements Memberships {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly people: PeopleRepository,
    private readonly projects: ProjectsRepository,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  standing(userId: string, organizationId: string): Promise<Standing | null> {
    return this.organizations.standing(userId, organizationId);
  }

  unknownProjects(organizationId: string, ids: readonly string[]): Promise<string[]> {
    return this.projects.unknown(organizationId, ids);
  }

  /** Workspaces a person may act in. */
  membershipsOf(userId: string): Promise<Membership[]> {
    return this.organizations.membershipsOf(userId);
  }

  /** Every workspace of this deployment, oldest first: for its operator. */
  all(): Promise<Organization[]> {
    return this.organizations.all();
  }

  hasOwner(): Promise<boolean> {
    return this.organizations.hasOwner();
  }

  /** The longest-standing owner of a workspace; null where there is no such workspace. */
  ownerOf(organizationId: string): Promise<string | null> {
    return this.organizations.ownerOf(organizationId);
  }

  async read(id: string): Promise<Organization> {
    const organization = await this.organizations.find(id);
    if (organization === null) throw new HelixError('ENGINE.INTERNAL', 'The workspace was removed at once.');
    return organization;
  }

  /** A new workspace with a new person as its owner. */
  create(
    draft: { readonly name: string; readonly ownerName: string; readonly ownerEmail: string | null },
    actor: Actor,
  ): Promise<{ organizationId: string; userId: string }> {
    return this.tx.run(async () => {
      const userId = await this.people.add(draft.ownerName, draft.ownerEmail);
      const { id: organizationId } = await this.createFor(userId, draft.name, actor);
      return { organizationId, userId };
    });
  }

  /** A new workspace of a person who is there already. */
  createFor(userId: string, name: string, actor: Actor): Promise<Organization> {
    return this.tx.run(async () => {
      const id = await this.organizations.addOrganization(name);
      await this.members.add(id, userId, 'owner');
      await this.audit.record({
        action: 'organization.create',
        organizationId: id,
        actor,
        target: id,
        details: { name, owner: userId },
      });
      return this.read(id);
    });
  }

  /** @throws HelixError `ACCESS.STALE_REVISION` */
  rename(id: string, name: string, revision: number | null, actor: Actor): Promise<Organization> {
    return this.tx.run(async () => {
      const before = await this.organizations.lock(id);
      if (before === null)
        throw new HelixError('ACCESS.NOT_A_MEMBER', 'There is no such workspace any more.');
      checkRevision(before.revision, revision);
      await this.organizations.rename(id, name);
      const details = { name, before: before.name };
      await this.audit.record({
        action: 'organization.update',
        organizationId: id,
        actor,
        target: id,
        details,
      });
      return this.read(id);
    });
  }
}
