import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { isUniqueViolation } from '../../common/platform/database/query-failures.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { type Actor, AuditTrail, checkRevision, type Memberships, type Standing } from '../access/index.js';
import { MembersRepository } from './members/members.repository.js';
import type { Membership, Organization } from './organization.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { type NewPerson, PeopleRepository } from './people/people.repository.js';
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

  homeOf(userId: string): Promise<string | null> {
    return this.organizations.homeOf(userId);
  }

  async workspacesOf(userId: string): Promise<string[]> {
    const memberships = await this.organizations.membershipsOf(userId);
    return memberships.map(({ organization }) => organization.id);
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
    draft: { readonly name: string; readonly owner: NewPerson },
    actor: Actor,
  ): Promise<{ organizationId: string; userId: string }> {
    return this.tx.run(async () => {
      const userId = await this.people.add(draft.owner);
      const { id: organizationId } = await this.createFor(userId, draft.name, actor);
      return { organizationId, userId };
    });
  }

  /** A new workspace of a person who is there already. */
  createFor(
    userId: string,
    name: string,
    actor: Actor,
    personalOf: string | null = null,
  ): Promise<Organization> {
    return this.tx.run(async () => {
      const id = await this.organizations.addOrganization(name, personalOf);
      await this.members.add(id, userId, 'owner');
      await this.audit.record({
        action: 'organization.create',
        organizationId: id,
        actor,
        target: id,
        details: { name, owner: userId, isPersonal: personalOf !== null },
      });
      return this.read(id);
    });
  }

  /** The person's own workspace, made where there is none yet, once however often it is asked for. */
  async personalOf(userId: string, actor: Actor): Promise<{ organization: Organization; isNew: boolean }> {
    const known = await this.organizations.personalOf(userId);
    if (known !== null) return { organization: known, isNew: false };
    const person = await this.people.find({ id: userId });
    const name = `${person?.name ?? 'Personal'} (personal)`;
    try {
      return { organization: await this.createFor(userId, name, actor, userId), isNew: true };
    } catch (error) {
      if (!isUniqueViolation(error, 'organization_personal_unique')) throw error;
      return this.personalOf(userId, actor);
    }
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
