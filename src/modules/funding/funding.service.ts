import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { PageCursors } from '../../common/platform/crypto/page-cursors.js';
import { isUniqueViolation } from '../../common/platform/database/query-failures.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { validationFailed } from '../../common/platform/http/json/json-text.js';
import { type Actor, AuditTrail } from '../access/index.js';
import type { Hold, LedgerEntry, Wallet } from './funding.js';
import { FundingRepository, type NewEntry } from './funding.repository.js';

/** A movement that was asked for, and the wallet as it is now. */
export interface Movement {
  readonly entry: LedgerEntry;
  readonly wallet: Wallet;
  /** The key was known: no money moved for this request. */
  readonly isReplay: boolean;
}

export interface Page {
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface Listed<Item> {
  readonly items: Item[];
  /** null: there are no more. */
  readonly nextCursor: string | null;
}

/** The wallets of workspaces and their ledgers. What calls reserve and pay, the call journal moves by money-sql.ts. */
@Injectable()
export class FundingService {
  constructor(
    private readonly funding: FundingRepository,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
    private readonly cursors: PageCursors,
  ) {}

  /** A workspace that nobody ever paid into has an empty wallet. */
  async wallet(organizationId: string): Promise<Wallet> {
    const empty = { organizationId, balanceMicros: 0, heldMicros: 0, updatedAt: null };
    return (await this.funding.wallet(organizationId)) ?? empty;
  }

  /**
   * Puts money in or corrects an entry, once for a key.
   * @throws HelixError `CALL.IDEMPOTENCY_MISMATCH`, `HTTP.VALIDATION_FAILED`
   */
  async move(movement: Omit<NewEntry, 'createdBy'>, actor: Actor): Promise<Movement> {
    const asked = { ...movement, createdBy: actor };
    if (asked.amountMicros === 0)
      throw validationFailed([
        { path: '/amountMicros', code: 'zero', message: 'A movement of 0 moves nothing.' },
      ]);
    const isReplay = !(await this.#enter(asked, actor));
    const entry = await this.funding.entryByKey(asked.organizationId, asked.idempotencyKey);
    if (entry === null)
      throw new HelixError('ENGINE.INTERNAL', 'A ledger entry is not where it was written.');
    if (isReplay && !isSame(entry, asked))
      throw new HelixError(
        'CALL.IDEMPOTENCY_MISMATCH',
        'This key already identifies a different movement of the wallet: send a new idempotencyKey.',
      );
    return { entry, wallet: await this.wallet(asked.organizationId), isReplay };
  }

  /** Newest first. @throws HelixError `HTTP.INVALID_CURSOR` */
  async ledger(organizationId: string, { limit, cursor }: Page): Promise<Listed<LedgerEntry>> {
    const list = { list: 'ledger', filter: { organizationId } };
    const before = cursor === undefined ? null : Number(this.cursors.open(cursor, list));
    const found = await this.funding.entries(organizationId, before, limit + 1);
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return { items, nextCursor: last ? this.cursors.seal(String(last.number), list) : null };
  }

  /** What calls hold now, newest first. @throws HelixError `HTTP.INVALID_CURSOR` */
  async reservations(organizationId: string, { limit, cursor }: Page): Promise<Listed<Hold>> {
    const list = { list: 'reservations', filter: { organizationId } };
    const after = cursor === undefined ? null : this.cursors.read(cursor, list);
    const { holds, next } = await this.funding.openHolds(organizationId, after, limit);
    return { items: holds, nextCursor: next && this.cursors.write(next, list) };
  }

  /** What a call holds or held, and what it moved. */
  async traceOf(callId: string): Promise<{ hold: Hold | null; entries: LedgerEntry[] }> {
    const [hold, entries] = await Promise.all([
      this.funding.hold(callId),
      this.funding.entriesOfCall(callId),
    ]);
    return { hold, entries };
  }

  /** @returns false where the key is taken */
  async #enter(asked: NewEntry, actor: Actor): Promise<boolean> {
    try {
      await this.tx.run(async () => {
        const { number, balance_micros: balance } = await this.funding.enter(asked);
        // JSON carries no larger number exactly.
        if (!Number.isSafeInteger(Number(balance)))
          throw validationFailed([
            { path: '/amountMicros', code: 'balance', message: 'The balance would be beyond ±(2^53−1).' },
          ]);
        await this.audit.record({
          action: asked.kind === 'top_up' ? 'wallet.topUp' : 'wallet.adjust',
          organizationId: asked.organizationId,
          actor,
          target: `${asked.organizationId} ${number}`,
          details: { amountMicros: asked.amountMicros, reason: asked.reason },
        });
      });
    } catch (error) {
      if (isUniqueViolation(error, 'ledger_entry_key_unique')) return false;
      throw error;
    }
    return true;
  }
}

function isSame(entry: LedgerEntry, asked: NewEntry): boolean {
  return (
    entry.kind === asked.kind && entry.amountMicros === asked.amountMicros && entry.reason === asked.reason
  );
}
