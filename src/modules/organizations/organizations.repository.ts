import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { Transactions } from '../../common/platform/database/transactions.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { isMemberRole, type Role, type Standing } from '../access/index.js';
import { CollaboratorEntity } from './entities/collaborator.entity.js';
import { MembershipEntity } from './entities/membership.entity.js';
import { OrganizationEntity } from './entities/organization.entity.js';
import { ProjectEntity } from './entities/project.entity.js';
import { organizationOf } from './organization.mapper.js';
import type { Membership, Organization } from './organization.js';

/** "HELX", and the third of our advisory locks: whoever makes the first owner holds it. */
const lockSpace = 0x48_45_4c_58;
const firstOwnerLock = 3;

@Injectable()
export class OrganizationsRepository {
  constructor(
    private readonly tx: Transactions,
    private readonly ids: UuidV7,
  ) {}

  async standing(userId: string, organizationId: string): Promise<Standing | null> {
    const row = await this.tx.manager
      .createQueryBuilder(MembershipEntity, 'membership')
      .innerJoin(OrganizationEntity, 'organization', 'organization.id = membership.organizationId')
      .where('membership.userId = :userId AND membership.organizationId = :organizationId', {
        userId,
        organizationId,
      })
      .andWhere('organization.suspendedAt IS NULL')
      .getOne();
    if (row === null) return this.#standingAsCollaborator(userId, organizationId);
    if (!isMemberRole(row.role)) return null;
    return { organizationId, role: row.role, projectIds: null, writableProjectIds: null };
  }

  async #standingAsCollaborator(userId: string, organizationId: string): Promise<Standing | null> {
    const rows = await this.#grantsOf(userId)
      .andWhere('project.organizationId = :organizationId', { organizationId })
      .getMany();
    if (rows.length === 0) return null;
    const projectIds = rows.map(({ projectId }) => projectId);
    const writable = rows.filter(({ access }) => access === 'write').map(({ projectId }) => projectId);
    return { organizationId, role: 'collaborator', projectIds, writableProjectIds: writable };
  }

  /** Oldest first; those in which the person is a mere collaborator included. */
  async membershipsOf(userId: string): Promise<Membership[]> {
    const manager = this.tx.manager;
    const rows = await manager.findBy(MembershipEntity, { userId });
    const roles = new Map<string, Role>();
    const granted = await this.#grantsOf(userId)
      .select('project.organizationId', 'organizationId')
      .getRawMany<{ organizationId: string }>();
    for (const { organizationId } of granted) roles.set(organizationId, 'collaborator');
    for (const { organizationId, role } of rows) if (isMemberRole(role)) roles.set(organizationId, role);
    const organizations = await manager.find(OrganizationEntity, {
      where: { id: In([...roles.keys()]), suspendedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return organizations.map((row) => ({
      organization: organizationOf(row),
      role: roles.get(row.id) ?? 'collaborator',
    }));
  }

  #grantsOf(userId: string) {
    return this.tx.manager
      .createQueryBuilder(CollaboratorEntity, 'collaborator')
      .innerJoin(ProjectEntity, 'project', 'project.id = collaborator.projectId')
      .innerJoin(OrganizationEntity, 'organization', 'organization.id = project.organizationId')
      .where('collaborator.userId = :userId AND organization.suspendedAt IS NULL', { userId });
  }

  async find(id: string): Promise<Organization | null> {
    const row = await this.tx.manager.findOneBy(OrganizationEntity, { id });
    return row && organizationOf(row);
  }

  /** Until the open transaction ends nobody else changes the workspace or who belongs to it. */
  async lock(id: string): Promise<Organization | null> {
    const row = await this.tx.manager.findOne(OrganizationEntity, {
      where: { id },
      lock: { mode: 'for_no_key_update' },
    });
    return row && organizationOf(row);
  }

  async rename(id: string, name: string): Promise<void> {
    await this.tx.manager.update(OrganizationEntity, { id }, { name, revision: () => 'revision + 1' });
  }

  /** The oldest workspace the person is a member of, else one they collaborate in. */
  async homeOf(userId: string): Promise<string | null> {
    const memberships = await this.membershipsOf(userId);
    const first = memberships.find(({ role }) => role !== 'collaborator') ?? memberships[0];
    return first?.organization.id ?? null;
  }

  async personalOf(userId: string): Promise<Organization | null> {
    const row = await this.tx.manager.findOneBy(OrganizationEntity, { personalOf: userId });
    return row && organizationOf(row);
  }

  async all(): Promise<Organization[]> {
    const rows = await this.tx.manager.find(OrganizationEntity, { order: { createdAt: 'ASC', id: 'ASC' } });
    return rows.map(organizationOf);
  }

  async hasOwner(): Promise<boolean> {
    return this.tx.manager.existsBy(MembershipEntity, { role: 'owner' });
  }

  /** The longest-standing owner; null where the workspace does not exist. */
  async ownerOf(organizationId: string): Promise<string | null> {
    const row = await this.tx.manager.findOne(MembershipEntity, {
      where: { organizationId, role: 'owner' },
      order: { createdAt: 'ASC', userId: 'ASC' },
    });
    return row?.userId ?? null;
  }

  /** Waits for everybody else who is making the first owner; until the open transaction ends. */
  async takeTurnForFirstOwner(): Promise<void> {
    await this.tx.manager.query('SELECT pg_advisory_xact_lock($1, $2)', [lockSpace, firstOwnerLock]);
  }

  /** @throws QueryFailedError where the person has a personal workspace: `organization_personal_unique` */
  async addOrganization(name: string, personalOf: string | null): Promise<string> {
    const id = `org_${this.ids.next()}`;
    await this.tx.manager.insert(OrganizationEntity, { id, name, personalOf });
    return id;
  }
}
