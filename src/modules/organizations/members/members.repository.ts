import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/platform/database/transactions.js';
import type { MemberRole } from '../../access/index.js';
import { MembershipEntity } from '../entities/membership.entity.js';
import { memberOf } from '../organization.mapper.js';
import type { Member } from '../organization.js';
import { withPeople } from '../people/with-people.js';

@Injectable()
export class MembersRepository {
  constructor(private readonly tx: Transactions) {}

  /** Longest-standing first. */
  async list(organizationId: string): Promise<Member[]> {
    return this.#read({ organizationId });
  }

  async find(organizationId: string, userId: string): Promise<Member | null> {
    const [member] = await this.#read({ organizationId, userId });
    return member ?? null;
  }

  countOwners(organizationId: string): Promise<number> {
    return this.#rows.countBy({ organizationId, role: 'owner' });
  }

  async add(organizationId: string, userId: string, role: MemberRole): Promise<void> {
    await this.#rows.insert({ organizationId, userId, role });
  }

  async changeRole(organizationId: string, userId: string, role: MemberRole): Promise<void> {
    await this.#rows.update({ organizationId, userId }, { role, revision: () => 'revision + 1' });
  }

  async remove(organizationId: string, userId: string): Promise<void> {
    await this.#rows.delete({ organizationId, userId });
  }

  async #read(where: { organizationId: string; userId?: string }): Promise<Member[]> {
    const rows = await this.#rows.find({ where, order: { createdAt: 'ASC', userId: 'ASC' } });
    return withPeople(this.tx.manager, rows, memberOf);
  }

  get #rows() {
    return this.tx.manager.getRepository(MembershipEntity);
  }
}
