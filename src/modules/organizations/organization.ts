import type { Role } from '../access/index.js';

/** A workspace: what tools, calls, connections and money belong to. */
export interface Organization {
  /** `org_` and a UUIDv7. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Nobody may act in a suspended workspace. */
  readonly suspendedAt: Date | null;
}

export interface Membership {
  readonly organization: Organization;
  readonly role: Role;
}

/** A part of a workspace that calls can be filed under, and keys limited to. `prj_` and a UUIDv7. */
export interface Project {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAt: Date;
}
