import { Cancellation } from '../api/abort.js';
import { Deadline } from '../api/deadline.js';
import type { Clock, Log } from '../api/ports.js';
import type { Processor } from '../api/processor.js';
import { HelixError } from '../errors/helix-error.js';
import { journey as current, noSignal, type Exchange, type Journey } from '../model/exchange.js';
import { LinkedList, type Linked } from '../model/linked-list.js';
import type { StuckExchange } from './engine-options.js';

/** Workflows one exchange may be handed through at once; a deeper chain of direct calls is a circle. */
export const DEEPEST = 100;

/** One of those on their way: entering and leaving a map for every message costs more than the way. */
class Traveller implements Linked<Traveller> {
  before: Traveller | null = null;
  after: Traveller | null = null;

  constructor(
    readonly exchange: Exchange,
    readonly workflowId: string,
    readonly since: number,
  ) {}
}

export interface Trip {
  readonly workflowId: string;
  readonly timeoutMs: number | null;
  readonly process: Processor;
}

/** Every exchange that is on its way: counted, bounded in depth and time, and waited for when the engine stops. */
export class InFlight {
  readonly #travellers = new LinkedList<Traveller>();
  readonly #emptied = new Set<() => void>();
  readonly #ended = new Set<() => void>();
  /** Aborted when the engine stops waiting. Exchanges without a signal of their own follow this one. */
  readonly hardStop = new Cancellation();

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  get size(): number {
    return this.#travellers.size;
  }

  /** Takes the exchange through. Never throws, never rejects: what fails is `exchange.failure`. */
  pass(exchange: Exchange, trip: Trip): void | Promise<void> {
    const { workflowId, stepId, cancellation } = exchange;
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
    const leash = this.#leash(cancellation, trip, outer === null);
    exchange.cancellation = leash ?? cancellation;
    const arrive = (): void => {
      if (leash !== this.hardStop) leash?.release();
      // Given up by a workflow around this one, which has gone its way since.
      if (exchange[current] !== mine) return;
      exchange[current] = outer;
      exchange.cancellation = cancellation;
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
   * What the exchange follows on this trip: its own cancellation, the time-out and the hard stop; null where that is what
   * it follows already, which is the usual case inside.
   */
  #leash(given: Exchange['cancellation'], trip: Trip, isOutermost: boolean): Cancellation | null {
    const hasOwn = given !== noSignal && given !== this.hardStop;
    if (trip.timeoutMs !== null) {
      const follows = hasOwn ? [this.hardStop, given] : [this.hardStop];
      return new Deadline(follows, trip.timeoutMs, this.clock, () => late(trip));
    }
    if (!hasOwn) return this.hardStop;
    return isOutermost ? new Cancellation([this.hardStop, given]) : null;
  }

  #enter(exchange: Exchange, { workflowId }: Trip): Traveller {
    const traveller = new Traveller(exchange, workflowId, this.clock.now());
    this.#travellers.append(traveller);
    return traveller;
  }

  #leave(traveller: Traveller): void {
    const { exchange } = traveller;
    this.#travellers.remove(traveller);
    if (exchange.failure !== null) this.#report(exchange, exchange.failure);
    if (this.#ended.size > 0) for (const listener of this.#ended) listener();
    if (this.size > 0 || this.#emptied.size === 0) return;
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
    for (const { exchange, workflowId: entered, since } of this.#travellers) {
      if (workflowId !== undefined && entered !== workflowId) continue;
      found.push({
        exchangeId: exchange.id,
        workflowId: exchange.workflowId ?? entered,
        stepId: exchange.stepId,
        ageMs: now - since,
      });
    }
    return found;
  }

  /**
   * Waits until the exchanges (of one workflow) have run out, telling the progress each second. What still runs after
   * `timeoutMs` is answered; nothing is aborted here.
   */
  drain(timeoutMs: number, workflowId?: string): Promise<readonly StuckExchange[]> {
    const count = (): number => (workflowId === undefined ? this.size : this.list(workflowId).length);
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
    this.hardStop.abort(new HelixError('ENGINE.STOPPING', 'The server is shutting down.'));
    if (this.size === 0) return;
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
