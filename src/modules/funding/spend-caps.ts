import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/platform/database/transactions.js';
import type { SpendLimits } from '../access/index.js';
import { SpendCapEntity } from './entities/spend-cap.entity.js';

export interface SpendCap {
  readonly credentialId: string;
  readonly limitMicros: number;
  /** What its calls were charged and still hold; a settlement may have gone beyond the limit. */
  readonly usedMicros: number;
}

/**
 * What single credentials may spend of their workspace's wallet. The cap of whoever makes a call is looked at by the very
 * statement that reserves for it; a credential without a cap is limited by the wallet alone.
 */
@Injectable()
export class SpendCaps implements SpendLimits {
  constructor(private readonly tx: Transactions) {}

  /** Sets or changes the cap of an API key or task credential; what was used so far stays counted. */
  async set(organizationId: string, credentialId: string, limitMicros: number): Promise<void> {
    await this.#rows
      .createQueryBuilder()
      .insert()
      .values({ credentialId, organizationId, limitMicros })
      .orUpdate(['limit_micros'], ['credential_id'])
      .execute();
  }

  /** null: no cap. */
  async find(organizationId: string, credentialId: string): Promise<SpendCap | null> {
    const row = await this.#rows.findOneBy({ organizationId, credentialId });
    return row && { credentialId, limitMicros: row.limitMicros, usedMicros: row.usedMicros };
  }

  get #rows() {
    return this.tx.manager.getRepository(SpendCapEntity);
  }
}
