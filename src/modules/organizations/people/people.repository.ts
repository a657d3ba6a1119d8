import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { UuidV7 } from '../../../common/platform/database/uuid-v7.js';
import type { Person } from '../../access/index.js';
import { UserEntity } from '../entities/user.entity.js';

export interface NewPerson {
  readonly name: string;
  readonly email: string | null;
  readonly passwordHash?: string | null;
  /** Whether the address was proved. */
  readonly isVerified?: boolean;
}

@Injectable()
export class PeopleRepository {
  constructor(
    private readonly tx: Transactions,
    private readonly ids: UuidV7,
  ) {}

  async find(where: { readonly id: string } | { readonly email: string }): Promise<Person | null> {
    const row = await this.#rows.findOneBy(where);
    if (row === null) return null;
    const { id, name, email, passwordHash, verifiedAt } = row;
    return { id, name, email, passwordHash, isVerified: verifiedAt !== null };
  }

  /** @returns the person's id: `usr_` and a UUIDv7 */
  async add({ name, email, passwordHash = null, isVerified = false }: NewPerson): Promise<string> {
    const id = `usr_${this.ids.next()}`;
    const verifiedAt = isVerified ? new Date() : null;
    await this.#rows.insert({ id, name, email: email?.toLowerCase() ?? null, passwordHash, verifiedAt });
    return id;
  }

  /** The address was proved; when it was first stays. */
  async verify(id: string): Promise<void> {
    await this.#rows.update({ id, verifiedAt: IsNull() }, { verifiedAt: () => 'now()' });
  }

  async setPasswordHash(id: string, passwordHash: string): Promise<void> {
    await this.#rows.update({ id }, { passwordHash });
  }

  get #rows() {
    return this.tx.manager.getRepository(UserEntity);
  }
}
