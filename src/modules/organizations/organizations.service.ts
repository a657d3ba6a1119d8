import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/platform/database/transactions.js';
import type { Memberships, Role, Standing } from '../access/index.js';
import { OrganizationsRepository } from './organizations.repository.js';
import type { Membership, Organization } from './organization.js';

/** Workspaces and their members; fills the port by which access asks who may act where. */
@Injectable()
export class OrganizationsService implements Memberships {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly tx: Transactions,
  ) {}

  standing(userId: string, organizationId: string): Promise<Standing | null> {
    return this.organizations.standing(userId, organizationId);
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

  /** A new workspace with its owner. */
  create(draft: {
    readonly name: string;
    readonly ownerName: string;
    readonly ownerEmail: string | null;
  }): Promise<{
    organizationId: string;
    userId: string;
  }> {
    return this.tx.run(async () => {
      const organizationId = await this.organizations.addOrganization(draft.name);
      const userId = await this.organizations.addUser(draft.ownerName, draft.ownerEmail);
      await this.organizations.addMember(organizationId, userId, 'owner');
      return { organizationId, userId };
    });
  }

  /** Makes a person a member of a workspace. @returns the person's id */
  addMember(
    organizationId: string,
    person: { readonly name: string; readonly email: string | null },
    role: Role,
  ) {
    return this.tx.run(async () => {
      const userId = await this.organizations.addUser(person.name, person.email);
      await this.organizations.addMember(organizationId, userId, role);
      return userId;
    });
  }

  removeMember(organizationId: string, userId: string): Promise<void> {
    return this.organizations.removeMember(organizationId, userId);
  }
}
