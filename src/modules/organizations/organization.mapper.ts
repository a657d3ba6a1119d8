import { isMemberRole } from '../access/index.js';
import type { CollaboratorEntity } from './entities/collaborator.entity.js';
import type { MembershipEntity } from './entities/membership.entity.js';
import type { OrganizationEntity } from './entities/organization.entity.js';
import type { ProjectEntity } from './entities/project.entity.js';
import type { UserEntity } from './entities/user.entity.js';
import type { Collaborator, Member, Organization, Project } from './organization.js';

export function organizationOf(row: OrganizationEntity): Organization {
  const { id, name, createdAt, suspendedAt, revision } = row;
  return { id, name, createdAt, suspendedAt, revision };
}

export function projectOf(row: ProjectEntity): Project {
  const { id, organizationId, name, revision, createdAt } = row;
  return { id, organizationId, name, revision, createdAt };
}

export function memberOf(row: MembershipEntity, { name, email }: UserEntity): Member {
  const { userId, role, revision, createdAt } = row;
  return { userId, name, email, role: isMemberRole(role) ? role : 'member', revision, createdAt };
}

export function collaboratorOf(row: CollaboratorEntity, { name, email }: UserEntity): Collaborator {
  const { projectId, userId, access, revision, createdAt } = row;
  return {
    projectId,
    userId,
    name,
    email,
    access: access === 'write' ? 'write' : 'read',
    revision,
    createdAt,
  };
}
