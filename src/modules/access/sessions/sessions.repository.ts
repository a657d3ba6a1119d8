import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { SessionEntity } from './session.entity.js';

@Injectable()
export class SessionsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Ends every session of a person, on every node. */
  async endAllOf(userId: string): Promise<void> {
    await this.tx.manager
      .createQueryBuilder()
      .delete()
      .from(SessionEntity)
      .where(`sess -> 'helix' ->> 'userId' = :userId`, { userId })
      .execute();
  }
}
