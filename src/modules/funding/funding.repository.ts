import { Injectable } from '@nestjs/common';
import { Brackets, LessThan } from 'typeorm';
import { type PagePosition, positionOf } from '../../common/platform/crypto/page-cursors.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import type { Actor } from '../access/index.js';
import { HoldEntity } from './entities/hold.entity.js';
import { LedgerEntryEntity } from './entities/ledger-entry.entity.js';
import { WalletEntity } from './entities/wallet.entity.js';
import { entryOf, holdOf, walletOf } from './funding.mapper.js';
import type { EntryKind, Hold, LedgerEntry, Wallet } from './funding.js';

/** A movement that a person asked for. */
export interface NewEntry {
  readonly organizationId: string;
  readonly kind: Extract<EntryKind, 'top_up' | 'adjustment'>;
  readonly amountMicros: number;
  readonly reason: string;
  readonly idempotencyKey: string;
  readonly createdBy: Pick<Actor, 'type' | 'id'>;
}

@Injectable()
export class FundingRepository {
  constructor(private readonly tx: Transactions) {}

  async wallet(organizationId: string): Promise<Wallet | null> {
    const row = await this.tx.manager.getRepository(WalletEntity).findOneBy({ organizationId });
    return row && walletOf(row);
  }

  /** Moves money and enters it in one statement; the wallet begins with its first entry. Fails where the key is taken. */
  async enter(entry: NewEntry): Promise<{ readonly number: string; readonly balance_micros: string }> {
    const rows = await this.tx.manager.query<{ number: string; balance_micros: string }[]>(
      `WITH purse AS (
         INSERT INTO wallet (organization_id, balance_micros, entry_count) VALUES ($1, $2, 1)
         ON CONFLICT (organization_id) DO UPDATE SET balance_micros = wallet.balance_micros + excluded.balance_micros,
           entry_count = wallet.entry_count + 1, updated_at = clock_timestamp()
         RETURNING balance_micros, entry_count)
       INSERT INTO ledger_entry (organization_id, number, kind, amount_micros, balance_micros, reason, idempotency_key,
         created_by_type, created_by_id)
       SELECT $1, entry_count, $3, $2, balance_micros, $4, $5, $6, $7 FROM purse
       RETURNING number, balance_micros`,
      [
        entry.organizationId,
        entry.amountMicros,
        entry.kind,
        entry.reason,
        entry.idempotencyKey,
        entry.createdBy.type,
        entry.createdBy.id,
      ],
    );
    return rows[0] as { number: string; balance_micros: string };
  }

  async entryByKey(organizationId: string, idempotencyKey: string): Promise<LedgerEntry | null> {
    const row = await this.#entries.findOneBy({ organizationId, idempotencyKey });
    return row && entryOf(row);
  }

  /** Newest first; `before`: only entries with a smaller number. */
  async entries(organizationId: string, before: number | null, limit: number): Promise<LedgerEntry[]> {
    const rows = await this.#entries.find({
      where: { organizationId, ...(before !== null && { number: LessThan(before) }) },
      order: { number: 'DESC' },
      take: limit,
    });
    return rows.map(entryOf);
  }

  async entriesOfCall(callId: string): Promise<LedgerEntry[]> {
    const rows = await this.#entries.find({ where: { callId }, order: { number: 'ASC' } });
    return rows.map(entryOf);
  }

  async hold(callId: string): Promise<Hold | null> {
    const row = await this.#holds.findOneBy({ callId });
    return row && holdOf(row);
  }

  /** Newest first. */
  async openHolds(
    organizationId: string,
    after: PagePosition | null,
    limit: number,
  ): Promise<{ holds: Hold[]; next: PagePosition | null }> {
    const query = this.#holds
      .createQueryBuilder('hold')
      .addSelect(positionOf('hold.created_at'), 'position')
      .where(`hold.organizationId = :organizationId AND hold.state = 'open'`, { organizationId })
      .orderBy('hold.createdAt', 'DESC')
      .addOrderBy('hold.callId', 'DESC')
      .limit(limit + 1);
    if (after !== null)
      query.andWhere(
        new Brackets((where) =>
          where.where(
            `(hold.created_at, hold.call_id) < (:createdAt::timestamp AT TIME ZONE 'UTC', :id)`,
            after,
          ),
        ),
      );
    const { entities, raw } = await query.getRawAndEntities<{ position: string }>();
    const holds = entities.slice(0, limit).map(holdOf);
    const last = entities.length > limit ? holds.at(-1) : undefined;
    const createdAt = raw[limit - 1]?.position;
    return { holds, next: last && createdAt !== undefined ? { createdAt, id: last.callId } : null };
  }

  get #entries() {
    return this.tx.manager.getRepository(LedgerEntryEntity);
  }

  get #holds() {
    return this.tx.manager.getRepository(HoldEntity);
  }
}
