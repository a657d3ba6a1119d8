import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { Transactions } from '../../common/platform/database/transactions.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { isRole, type Role, type Standing } from '../access/index.js';
import { MembershipEntity } from './entities/membership.entity.js';
import { OrganizationEntity } from './entities/organization.entity.js';
import { UserEntity } from './entities/user.entity.js';
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
    if (row === null || !isRole(row.role)) return null;
    return { organizationId, role: row.role, projectIds: null };
  }

  async membershipsOf(userId: string): Promise<Membership[]> {
    const manager = this.tx.manager;
    const rows = await manager.findBy(MembershipEntity, { userId });
    const organizations = await manager.find(OrganizationEntity, {
      where: { id: In(rows.map(({ organizationId }) => organizationId)), suspendedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return organizations.flatMap((organization) => {
      const role = rows.find(({ organizationId }) => organizationId === organization.id)?.role ?? '';
      return isRole(role) ? [{ organization: organizationOf(organization), role }] : [];
    });
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

  async addOrganization(name: string): Promise<string> {
    const id = `org_${this.ids.next()}`;
    await this.tx.manager.insert(OrganizationEntity, { id, name });
    return id;
  }

  async addUser(name: string, email: string | null): Promise<string> {
    const id = `usr_${this.ids.next()}`;
    await this.tx.manager.insert(UserEntity, { id, name, email });
    return id;
  }

  async addMember(organizationId: string, userId: string, role: Role): Promise<void> {
    await this.tx.manager.insert(MembershipEntity, { organizationId, userId, role });
  }

  async removeMember(organizationId: string, userId: string): Promise<void> {
    await this.tx.manager.delete(MembershipEntity, { organizationId, userId });
  }
}
