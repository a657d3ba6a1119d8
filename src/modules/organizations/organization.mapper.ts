import type { OrganizationEntity } from './entities/organization.entity.js';
import type { ProjectEntity } from './entities/project.entity.js';
import type { Organization, Project } from './organization.js';

export function organizationOf(row: OrganizationEntity): Organization {
  return { id: row.id, name: row.name, createdAt: row.createdAt, suspendedAt: row.suspendedAt };
}

export function projectOf(row: ProjectEntity): Project {
  return { id: row.id, organizationId: row.organizationId, name: row.name, createdAt: row.createdAt };
}
