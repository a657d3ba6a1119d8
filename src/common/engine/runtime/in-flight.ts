import { Cancellation } from '../api/abort.js';
import { Deadline } from '../api/deadline.js';
import type { Clock, Log } from '../api/ports.js';
import type { Processor } from '../api/processor.js';
import { HelixError } from '../errors/helix-error.js';
import { journey as current, noSignal, version, type Exchange, type Journey } from '../model/exchange.js';
import { LinkedList, type Linked } from '../model/linked-list.js';
import type { WorkspaceVersion } from '../model/workspace-version.js';
import type { StuckExchange } from './engine-options.js';
import type { Lifespan, Versions } from './versions.js';
import type { WorkflowCounters } from './workflow-counters.js';

/** Workflows one exchange may be handed through at once; a deeper chain of direct calls is a circle. */
export const DEEPEST = 100;

/** One of those on their way: entering and leaving a map for every message costs more than the way. */
class Traveller implements Linked<Traveller> {
  before: Traveller | null = null;
  after: Traveller | null = null;

  constructor(
    readonly exchange: Exchange,
    readonly workflowId: string,
    readonly on: WorkspaceVersion,
    readonly since: number,
  ) {}
}

export interface Trip {
  readonly workflowId: string;
  readonly timeoutMs: number | null;
  readonly process: Processor;
  /** Those of the workflow; null for what is sent from outside any. */
  readonly counters: WorkflowCounters | null;
  readonly lifespan: Lifespan | null;
}

/** What an exchange had before it was taken through a workflow, and has again afterwards. */
interface Way {
  readonly trip: Trip;
  readonly mine: Journey;
  readonly outer: Journey | null;
  readonly leash: Cancellation | null;
  readonly cancellation: Exchange['cancellation'];
  readonly traveller: Traveller | null;
  readonly began: number;
  readonly workflowId: string | null;
  readonly stepId: string | null;
}

/** What a way through a workflow ended with that was given up before its end. */
const givenUp = new HelixError('ENGINE.CANCELLED', 'Nobody waited for it any more.');

/** Every exchange that is on its way: counted, bounded in depth and time, and waited for when the engine stops. */
export class InFlight {
  readonly #travellers = new LinkedList<Traveller>();
  readonly #emptied = new Set<() => void>();
  readonly #ended = new Set<() => void>();
  readonly #waits = new Set<() => void>();
  readonly #now = (): number => this.clock.now();
  /** Aborted when the engine stops waiting. Exchanges without a signal of their own follow this one. */
  readonly hardStop = new Cancellation();

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly versions: Versions,
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
    if (outer === null) this.#board(exchange, trip);
    const { counters } = trip;
    const began = counters?.began() ?? 0;
    const traveller = outer === null ? this.#enter(exchange, trip) : null;
    const leash = this.#leash(cancellation, trip, outer === null);
    exchange.cancellation = leash ?? cancellation;
    const way: Way = { trip, mine, outer, leash, cancellation, traveller, began, workflowId, stepId };
    const pending = trip.process(exchange);
    if (pending !== undefined) return this.#arriveLater(exchange, way, pending);
    this.#arrive(exchange, way);
  }

  #arriveLater(exchange: Exchange, way: Way, pending: Promise<void>): Promise<void> {
    return pending.then(() => this.#arrive(exchange, way));
  }

  #arrive(exchange: Exchange, way: Way): void {
    const { leash, mine, trip, traveller } = way;
    if (leash !== this.hardStop) leash?.release();
    const isMine = exchange[current] === mine;
    trip.counters?.ended(way.began, isMine ? exchange.failure : givenUp, this.#now);
    // Given up by a workflow around this one, which has gone its way since.
    if (!isMine) return;
    exchange[current] = way.outer;
    exchange.cancellation = way.cancellation;
    exchange.stopped = false;
    if (traveller !== null) this.#leave(traveller);
    else {
      exchange.workflowId = way.workflowId;
      exchange.stepId = way.stepId;
    }
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

  /** An exchange that was held back (a group of `aggregate`) may have outlived its version: it begins anew. */
  #board(exchange: Exchange, { lifespan }: Trip): void {
    const known = exchange[version];
    if (known !== null && this.versions.isAlive(known)) return;
    exchange[version] = lifespan === null ? this.versions.current : this.versions.of(lifespan);
  }

  #enter(exchange: Exchange, { workflowId }: Trip): Traveller {
    const on = exchange[version] as WorkspaceVersion;
    const traveller = new Traveller(exchange, workflowId, on, this.clock.now());
    on.inFlight++;
    this.#travellers.append(traveller);
    return traveller;
  }

  #leave(traveller: Traveller): void {
    const { exchange, on } = traveller;
    on.inFlight--;
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

  /** Exchanges on their way now, oldest first; those on a version up to `last` where one is named. */
  list(last?: WorkspaceVersion): readonly StuckExchange[] {
    const now = this.clock.now();
    const found: StuckExchange[] = [];
    for (const { exchange, workflowId: entered, on, since } of this.#travellers) {
      if (last !== undefined && on.number > last.number) continue;
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
   * Resolves with true as soon as `isOver` holds: it is asked now, each time an exchange has ended, and each second, when
   * `progress` is told too. False when `timeoutMs` is over first; nothing is aborted here.
   */
  until(isOver: () => boolean, timeoutMs: number | null, progress: () => void): Promise<boolean> {
    if (isOver()) return Promise.resolve(true);
    if (timeoutMs !== null && timeoutMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const releases = new Set<() => void>();
      let isDone = false;
      const finish = (answer: boolean): void => {
        isDone = true;
        for (const release of releases) release();
        resolve(answer);
      };
      const check = (): void => {
        if (!isDone && isOver()) finish(true);
      };
      let cancelBeat: (() => void) | null = null;
      const beat = (): void => {
        cancelBeat = this.clock.schedule(1000, () => {
          check();
          if (isDone) return;
          progress();
          beat();
        });
      };
      const giveUp = (): void => finish(isOver());
      releases.add(() => this.#waits.delete(giveUp));
      releases.add(() => this.#ended.delete(check));
      releases.add(() => cancelBeat?.());
      if (timeoutMs !== null) releases.add(this.clock.schedule(timeoutMs, giveUp));
      this.#ended.add(check);
      this.#waits.add(giveUp);
      beat();
    });
  }

  /** Aborts all that is still on its way, and waits until it has let go. Nobody waits for the rest after that. */
  async abandon(): Promise<void> {
    this.hardStop.abort(new HelixError('ENGINE.STOPPING', 'The server is shutting down.'));
    if (this.size > 0) await this.#emptiedSoon();
    for (const giveUp of this.#waits) giveUp();
  }

  async #emptiedSoon(): Promise<void> {
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
