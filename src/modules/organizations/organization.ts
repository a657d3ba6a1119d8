import type { MemberRole, ProjectAccess, Role } from '../access/index.js';

/** A workspace: what tools, calls, connections and money belong to. */
export interface Organization {
  /** `org_` and a UUIDv7. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Nobody may act in a suspended workspace. */
  readonly suspendedAt: Date | null;
  readonly revision: number;
}

/** What a person may do in a workspace: as a member, or as a collaborator of some of its projects. */
export interface Membership {
  readonly organization: Organization;
  readonly role: Role;
}

/** A person as the others of a workspace see them. */
export interface Member {
  readonly userId: string;
  readonly name: string;
  /** null for an owner of the first run who gave none. */
  readonly email: string | null;
  readonly role: MemberRole;
  readonly revision: number;
  readonly createdAt: Date;
}

/** A part of a workspace that calls can be filed under, and keys limited to. `prj_` and a UUIDv7. */
export interface Project {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly revision: number;
  readonly createdAt: Date;
}

/** A person who is no member, let into one project. */
export interface Collaborator {
  readonly projectId: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
  readonly access: ProjectAccess;
  readonly revision: number;
  readonly createdAt: Date;
}
