import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { isUniqueViolation } from '../../common/platform/database/query-failures.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { validationFailed } from '../../common/platform/http/json/json-text.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import type { Hold, LedgerEntry, Wallet } from './funding.js';
import { FundingRepository, type HoldPosition, type NewEntry } from './funding.repository.js';

/** A movement that was asked for, and the wallet as it is now. */
export interface Movement {
  readonly entry: LedgerEntry;
  readonly wallet: Wallet;
  /** The key was known: no money moved for this request. */
  readonly isReplay: boolean;
}

/** The wallets of workspaces and their ledgers. What calls reserve and pay, the call journal moves by money-sql.ts. */
@Injectable()
export class FundingService {
  constructor(
    private readonly funding: FundingRepository,
    private readonly tx: Transactions,
    private readonly log: HelixLog,
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
  async move(asked: NewEntry): Promise<Movement> {
    if (asked.amountMicros === 0)
      throw validationFailed([
        { path: '/amountMicros', code: 'zero', message: 'A movement of 0 moves nothing.' },
      ]);
    const isReplay = !(await this.#enter(asked));
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

  /** Newest first; `before`: entries with a smaller number. */
  ledger(organizationId: string, before: number | null, limit: number): Promise<LedgerEntry[]> {
    return this.funding.entries(organizationId, before, limit);
  }

  /** What calls hold now, newest first. */
  reservations(organizationId: string, after: HoldPosition | null, limit: number) {
    return this.funding.openHolds(organizationId, after, limit);
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
  async #enter(asked: NewEntry): Promise<boolean> {
    try {
      await this.tx.run(async () => {
        const { balance_micros: balance } = await this.funding.enter(asked);
        // JSON carries no larger number exactly.
        if (!Number.isSafeInteger(Number(balance)))
          throw validationFailed([
            { path: '/amountMicros', code: 'balance', message: 'The balance would be beyond ±(2^53−1).' },
          ]);
      });
    } catch (error) {
      if (isUniqueViolation(error, 'ledger_entry_key_unique')) return false;
      throw error;
    }
    const { organizationId, kind, amountMicros, reason, createdBy } = asked;
    this.log.write('info', 'Money was moved by hand.', {
      organizationId,
      kind,
      amountMicros,
      reason,
      createdBy,
    });
    return true;
  }
}

function isSame(entry: LedgerEntry, asked: NewEntry): boolean {
  return (
    entry.kind === asked.kind && entry.amountMicros === asked.amountMicros && entry.reason === asked.reason
  );
}
