import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { PageCursors } from '../../common/platform/crypto/page-cursors.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { type Counter, Metrics } from '../../common/platform/metrics/metrics.js';
import type { DeadLetterStore, NewDeadLetter } from '../../components/dead-letter/index.js';
import { actorOf, AuditTrail, type AuthContext } from '../access/index.js';
import { OrganizationsService } from '../organizations/index.js';
import type { DeadLetter, DeadLetterSummary, LetterFilter, LetterOwner } from './dead-letter.js';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { LetterReplay } from './letter-replay.js';

/** What became of the letters of a bulk operation. */
export interface BulkEnd {
  readonly matched: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Somebody else ended them meanwhile, or they cannot be sent again. */
  readonly skipped: number;
}

/** Keeps what workflows could not do, and sends it again or discards it, once. */
@Injectable()
export class DeadLettersService implements DeadLetterStore {
  readonly #kept: Counter;

  constructor(
    private readonly letters: DeadLettersRepository,
    private readonly replays: LetterReplay,
    private readonly organizations: OrganizationsService,
    private readonly cursors: PageCursors,
    private readonly config: HelixConfig,
    private readonly log: HelixLog,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
    metrics: Metrics,
  ) {
    this.#kept = metrics.counter('helix_dead_letters_total', 'Dead letters written.', ['queue']);
  }

  async keep(letter: NewDeadLetter): Promise<void> {
    await this.letters.insert(letter);
    this.#kept.add(1, { queue: letter.queue });
  }

  /** Newest first. @throws HelixError `HTTP.INVALID_CURSOR` */
  async list(
    auth: AuthContext,
    filter: LetterFilter,
    page: { readonly limit: number; readonly cursor: string | undefined },
  ): Promise<{ items: DeadLetterSummary[]; nextCursor: string | null }> {
    const owner = await this.#owner(auth);
    const { organizationId, projectIds } = owner;
    const identity = { list: 'dead-letters', filter: { ...filter, organizationId, projectIds } };
    const after = page.cursor === undefined ? null : this.cursors.read(page.cursor, identity);
    const { letters, next } = await this.letters.list(owner, filter, after, page.limit);
    return { items: letters, nextCursor: next && this.cursors.write(next, identity) };
  }

  /** @throws HelixError `LETTER.UNKNOWN_DEAD_LETTER` */
  async read(auth: AuthContext, id: string): Promise<DeadLetter> {
    const letter = await this.letters.find(await this.#owner(auth), id);
    if (letter === null)
      throw new HelixError('LETTER.UNKNOWN_DEAD_LETTER', 'There is no such dead letter in this workspace.');
    return letter;
  }

  /**
   * Sends a letter to its workflow again: once, whoever else tries at the same moment. Waits for the end as long as a
   * call of a tool would be waited for.
   * @throws HelixError `LETTER.UNKNOWN_DEAD_LETTER`, `LETTER.NOT_OPEN`, `LETTER.NOT_REPLAYABLE`
   */
  async replay(auth: AuthContext, id: string): Promise<DeadLetter> {
    const letter = await this.read(auth, id);
    refuseEnded(letter);
    this.replays.check(letter);
    const ended = await this.#end([id], 'replayed', auth);
    if (ended.length === 0) throw notOpen();
    await within(this.config.callWaitMs, this.#send(letter, auth));
    return this.read(auth, id);
  }

  /** @throws HelixError `LETTER.UNKNOWN_DEAD_LETTER`, `LETTER.NOT_OPEN` */
  async discard(auth: AuthContext, id: string): Promise<DeadLetter> {
    refuseEnded(await this.read(auth, id));
    const ended = await this.#end([id], 'discarded', auth);
    if (ended.length === 0) throw notOpen();
    return this.read(auth, id);
  }

  /** Oldest first, one after the other, so that what belongs together arrives in its order. */
  async replayAll(auth: AuthContext, filter: LetterFilter, limit: number): Promise<BulkEnd> {
    const owner = await this.#owner(auth);
    const ids = await this.letters.openIds(owner, filter, limit);
    const count = { succeeded: 0, failed: 0, skipped: 0 };
    for (const id of ids) {
      const status = await this.#replayOne(auth, owner, id);
      count[status] += 1;
    }
    return { matched: ids.length, ...count };
  }

  async discardAll(auth: AuthContext, filter: LetterFilter, limit: number): Promise<BulkEnd> {
    const ids = await this.letters.openIds(await this.#owner(auth), filter, limit);
    const ended = await this.#end(ids, 'discarded', auth);
    return { matched: ids.length, succeeded: ended.length, failed: 0, skipped: ids.length - ended.length };
  }

  async #replayOne(
    auth: AuthContext,
    owner: LetterOwner,
    id: string,
  ): Promise<'succeeded' | 'failed' | 'skipped'> {
    const letter = await this.letters.find(owner, id);
    if (letter === null) return 'skipped';
    try {
      this.replays.check(letter);
    } catch {
      return 'skipped';
    }
    const ended = await this.#end([id], 'replayed', auth);
    return ended.length === 0 ? 'skipped' : this.#send(letter, auth);
  }

  /** @returns ids of the letters that this ended: each of them is told in the audit log */
  #end(ids: readonly string[], state: 'replayed' | 'discarded', auth: AuthContext): Promise<string[]> {
    const action = state === 'replayed' ? 'deadLetter.replay' : 'deadLetter.discard';
    const { organizationId } = auth;
    const actor = actorOf(auth);
    return this.tx.run(async () => {
      const ended = await this.letters.end(ids, state, auth.identity.id);
      for (const target of ended) await this.audit.record({ action, organizationId, actor, target });
      return ended;
    });
  }

  async #send(letter: DeadLetter, auth: AuthContext): Promise<'succeeded' | 'failed'> {
    const outcome = await this.replays.send(letter, auth);
    try {
      await this.letters.noteOutcome(letter.id, outcome);
      if (outcome.status === 'failed') await this.letters.reopen(letter.id);
    } catch (error) {
      this.log.write('error', 'How a dead letter ended that was sent again could not be noted.', {
        letter: letter.id,
        outcome: outcome.status,
        error,
      });
    }
    return outcome.status;
  }

  /** The oldest workspace stands for the deployment. */
  async #owner({ organizationId, projectIds }: AuthContext): Promise<LetterOwner> {
    const [home] = await this.organizations.all();
    return { organizationId, projectIds, isHome: home?.id === organizationId };
  }
}

function refuseEnded({ state }: DeadLetter): void {
  if (state !== 'open') throw notOpen(state);
}

function notOpen(state = 'ended by somebody else'): HelixError {
  return new HelixError('LETTER.NOT_OPEN', `The dead letter is ${state} already.`);
}

/** Waits for the work, not longer than that; it goes on. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
