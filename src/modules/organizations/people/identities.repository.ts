import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { IdentityEntity } from '../entities/identity.entity.js';

/** Name of a person at an identity provider. */
export interface ProviderName {
  readonly issuer: string;
  readonly subject: string;
}

@Injectable()
export class IdentitiesRepository {
  constructor(private readonly tx: Transactions) {}

  async personOf({ issuer, subject }: ProviderName): Promise<string | null> {
    return (await this.#rows.findOneBy({ issuer, subject }))?.userId ?? null;
  }

  /** Whether a person has a name at this provider. */
  isBound(userId: string, issuer: string): Promise<boolean> {
    return this.#rows.existsBy({ userId, issuer });
  }

  async bind(userId: string, { issuer, subject }: ProviderName): Promise<void> {
    await this.#rows.insert({ userId, issuer, subject });
  }

  get #rows() {
    return this.tx.manager.getRepository(IdentityEntity);
  }
}
