import type { ProjectAccess, Role } from '../../access/index.js';

/** How long an invitation can be accepted, in milliseconds. */
export const invitationLifetimeMs = 7 * 86_400_000;

/** To become a member, or a collaborator of one project. */
export interface Invitation {
  /** `inv_` and a UUIDv7. */
  readonly id: string;
  readonly organizationId: string;
  /** Lower case. */
  readonly email: string;
  readonly role: Role;
  /** Of a collaborator; null for members. */
  readonly projectId: string | null;
  readonly access: ProjectAccess | null;
  /** The person who invites. */
  readonly invitedBy: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** With the token that accepts it, which is shown once and kept nowhere. */
export interface SentInvitation {
  readonly invitation: Invitation;
  readonly token: string;
}

export type NewInvitation = Pick<Invitation, 'email' | 'role' | 'projectId' | 'access'>;
