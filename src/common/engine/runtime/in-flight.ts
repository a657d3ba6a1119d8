import { abortReason, whenAborted } from '../api/abort.js';
import type { Clock, Log } from '../api/ports.js';
import type { Processor } from '../api/processor.js';
import { HelixError } from '../errors/helix-error.js';
import { journey as current, noSignal, type Exchange, type Journey } from '../model/exchange.js';
import type { StuckExchange } from './engine-options.js';

/** Workflows one exchange may be handed through at once; a deeper chain of direct calls is a circle. */
export const DEEPEST = 100;

/** A link of the list of those on their way: entering and leaving a map for every message costs more than the way. */
interface Traveller {
  readonly exchange: Exchange;
  readonly workflowId: string;
  readonly since: number;
  before: Traveller | null;
  after: Traveller | null;
}

export interface Trip {
  readonly workflowId: string;
  readonly timeoutMs: number | null;
  readonly process: Processor;
}

/** Every exchange that is on its way: counted, bounded in depth and time, and waited for when the engine stops. */
export class InFlight {
  #newest: Traveller | null = null;
  #size = 0;
  readonly #emptied = new Set<() => void>();
  readonly #ended = new Set<() => void>();
  readonly #hard = new AbortController();

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Aborted when the engine stops waiting. Exchanges without a signal of their own carry this one. */
  get hardStop(): AbortSignal {
    return this.#hard.signal;
  }

  get size(): number {
    return this.#size;
  }

  /** Takes the exchange through. Never throws, never rejects: what fails is `exchange.failure`. */
  pass(exchange: Exchange, trip: Trip): void | Promise<void> {
    const { workflowId, stepId, signal } = exchange;
    const outer = exchange[current];
    const level = outer === null ? 0 : outer.level + 1;
    if (level >= DEEPEST) {
      exchange.fail(
        new HelixError(
          'ENGINE.ENDLESS_RECURSION',
          `Workflows call each other ${DEEPEST} deep, "${trip.workflowId}" among them: break the circle.`,
        ),
      );
      return;
    }
    const mine: Journey = { level };
    exchange[current] = mine;
    exchange.workflowId = trip.workflowId;
    const traveller = outer === null ? this.#enter(exchange, trip) : null;
    const release = this.#leash(exchange, trip, outer === null);
    const arrive = (): void => {
      release?.();
      // Given up by a workflow around this one, which has gone its way since.
      if (exchange[current] !== mine) return;
      exchange[current] = outer;
      exchange.signal = signal;
      exchange.stopped = false;
      if (traveller !== null) this.#leave(traveller);
      else {
        exchange.workflowId = workflowId;
        exchange.stepId = stepId;
      }
    };
    const pending = trip.process(exchange);
    if (pending === undefined) arrive();
    else return pending.then(arrive);
  }

  /**
   * Puts one signal on the exchange that follows its own, the time-out and the hard stop; nothing where the exchange has
   * neither an own signal nor a time-out, which is the usual case inside.
   */
  #leash(exchange: Exchange, trip: Trip, isOutermost: boolean): (() => void) | undefined {
    const own = exchange.signal === noSignal || exchange.signal === this.hardStop ? null : exchange.signal;
    if (own === null) exchange.signal = this.hardStop;
    if ((own === null || !isOutermost) && trip.timeoutMs === null) return undefined;
    const controller = new AbortController();
    const follow = (parent: AbortSignal): (() => void) =>
      whenAborted(parent, () => controller.abort(abortReason(parent)));
    const releases = [follow(this.hardStop)];
    if (own !== null) releases.push(follow(own));
    if (trip.timeoutMs !== null)
      releases.push(this.clock.schedule(trip.timeoutMs, () => controller.abort(late(trip))));
    exchange.signal = controller.signal;
    return () => {
      for (const release of releases) release();
    };
  }

  #enter(exchange: Exchange, { workflowId }: Trip): Traveller {
    const after = this.#newest;
    const traveller: Traveller = { exchange, workflowId, since: this.clock.now(), before: null, after };
    if (after !== null) after.before = traveller;
    this.#newest = traveller;
    this.#size++;
    return traveller;
  }

  #leave({ exchange, before, after }: Traveller): void {
    if (after !== null) after.before = before;
    if (before !== null) before.after = after;
    else this.#newest = after;
    this.#size--;
    if (exchange.failure !== null) this.#report(exchange, exchange.failure);
    if (this.#ended.size > 0) for (const listener of this.#ended) listener();
    if (this.#size > 0 || this.#emptied.size === 0) return;
    for (const resolve of this.#emptied) resolve();
    this.#emptied.clear();
  }

  #report(exchange: Exchange, failure: HelixError): void {
    const isCallersFault = failure.meaning.http < 500;
    this.log.write(isCallersFault ? 'info' : 'warn', `workflow failed: ${failure.message}`, {
      workflow: exchange.failedAt?.workflowId ?? exchange.workflowId,
      step: exchange.failedAt?.stepId ?? exchange.stepId,
      exchange: exchange.id,
      correlation: exchange.correlationId,
      code: failure.code,
    });
  }

  /** Exchanges on their way now, oldest first; of one workflow where one is named. */
  list(workflowId?: string): readonly StuckExchange[] {
    const now = this.clock.now();
    const found: StuckExchange[] = [];
    for (let each = this.#newest; each !== null; each = each.after) {
      const { exchange } = each;
      if (workflowId !== undefined && each.workflowId !== workflowId) continue;
      found.push({
        exchangeId: exchange.id,
        workflowId: exchange.workflowId ?? each.workflowId,
        stepId: exchange.stepId,
        ageMs: now - each.since,
      });
    }
    return found.toReversed();
  }

  /**
   * Waits until the exchanges (of one workflow) have run out, telling the progress each second. What still runs after
   * `timeoutMs` is answered; nothing is aborted here.
   */
  drain(timeoutMs: number, workflowId?: string): Promise<readonly StuckExchange[]> {
    const count = (): number => (workflowId === undefined ? this.#size : this.list(workflowId).length);
    if (count() === 0) return Promise.resolve([]);
    return new Promise((resolve) => {
      const finish = (): void => {
        cancelProgress?.();
        cancelTimeout();
        this.#ended.delete(check);
        resolve(this.list(workflowId));
      };
      const check = (): void => {
        if (count() === 0) finish();
      };
      let cancelProgress: (() => void) | null = null;
      const progress = (): void => {
        cancelProgress = this.clock.schedule(1000, () => {
          this.log.write('info', `waiting for ${count()} exchanges to run out`);
          progress();
        });
      };
      const cancelTimeout = this.clock.schedule(timeoutMs, finish);
      this.#ended.add(check);
      progress();
    });
  }

  /** Aborts all that is still on its way, and waits until it has let go. */
  async abandon(): Promise<void> {
    this.#hard.abort(new HelixError('ENGINE.STOPPING', 'The server is shutting down.'));
    if (this.#size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.clock.schedule(1000, resolve);
      this.#emptied.add(() => {
        cancel();
        resolve();
      });
    });
  }
}

function late({ workflowId, timeoutMs }: Trip): HelixError {
  return new HelixError(
    'ENGINE.TIMED_OUT',
    `The workflow "${workflowId}" took longer than its time-out of ${timeoutMs} ms.`,
  );
}
