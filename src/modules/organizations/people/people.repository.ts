import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { UuidV7 } from '../../../common/platform/database/uuid-v7.js';
import { UserEntity } from '../entities/user.entity.js';

@Injectable()
export class PeopleRepository {
  constructor(
    private readonly tx: Transactions,
    private readonly ids: UuidV7,
  ) {}

  /** @returns the person's id: `usr_` and a UUIDv7 */
  async add(name: string, email: string | null): Promise<string> {
    const id = `usr_${this.ids.next()}`;
    await this.tx.manager.insert(UserEntity, { id, name, email });
    return id;
  }

  exists(id: string): Promise<boolean> {
    return this.tx.manager.existsBy(UserEntity, { id });
  }
}
