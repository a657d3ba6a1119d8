import type { Clock } from '../../common/engine/api/ports.js';

interface Alarm {
  readonly at: number;
  readonly task: () => void;
}

/** So many turns of the event loop in which nothing stirred mean that everything waits for the clock. */
const QUIET_TURNS = 10;
/** What is awaited and neither stirs nor waits for an alarm for so long, in real time, never comes. */
const PATIENCE_MS = 1000;
/** No test means to wait longer; a clock that rings without end would. */
const LONGEST_MS = 366 * 24 * 3_600_000;

/** Why the clock gave up. */
export class ClockStopped extends Error {
  override readonly name = 'ClockStopped';
}

/**
 * The clock of a test. It stands still while anything runs and jumps to the next alarm once all that is left waits for
 * it, so that hours pass in milliseconds and in the same order every time.
 */
export class VirtualClock implements Clock {
  readonly #alarms = new Set<Alarm>();
  #now: number;
  #stirs = 0;
  #holds = 0;

  constructor(
    readonly startMs: number,
    /** When, on the machine's own clock (`performance.now`), all patience ends. */
    private readonly realEnd: number,
  ) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  schedule(ms: number, task: () => void): () => void {
    const alarm = { at: this.#now + Math.max(ms, 0), task };
    this.#alarms.add(alarm);
    this.#stirs++;
    return () => {
      this.#alarms.delete(alarm);
    };
  }

  /** Something was done: whoever waits for quiet waits on. */
  stir(): void {
    this.#stirs++;
  }

  /** Something real is on its way (a request to the outside): time stands still until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds--;
      this.#stirs++;
    };
  }

  /** Lets time go on until the work is done. @throws what the work throws, or ClockStopped where it cannot end */
  async until<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const finish = (): void => {
      done = true;
    };
    work.then(finish, finish);
    if (!(await this.settle(() => done)))
      throw new ClockStopped('Nothing goes on any more: what is waited for never comes.');
    return work;
  }

  /** Lets time go on until the condition holds; false where it never will. @throws ClockStopped */
  async settle(condition: () => boolean): Promise<boolean> {
    let patience = performance.now() + PATIENCE_MS;
    while (!(await this.#ring(condition, this.startMs + LONGEST_MS))) {
      // What neither stirs nor waits for the clock may be the machine's: a file, a socket.
      if (performance.now() > patience && this.#holds === 0) return false;
      if (this.#holds > 0) patience = performance.now() + PATIENCE_MS;
      await realMoment();
    }
    return true;
  }

  /** Lets exactly so much time pass. @throws ClockStopped */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    while (!(await this.#ring(() => false, end)) && this.#holds > 0) await realMoment();
    this.#now = end;
  }

  /** Rings what falls due until `end`, one alarm at a time; false where nothing is left to ring. */
  async #ring(isDone: () => boolean, end: number): Promise<boolean> {
    for (;;) {
      await this.#quiet(isDone);
      if (isDone()) return true;
      if (performance.now() > this.realEnd) throw new ClockStopped('The test took too long in real time.');
      const next = this.#holds > 0 ? null : this.#next(end);
      if (next === null) return false;
      this.#alarms.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
    }
  }

  #next(end: number): Alarm | null {
    let first: Alarm | null = null;
    for (const alarm of this.#alarms) {
      if (alarm.at <= end && (first === null || alarm.at < first.at)) first = alarm;
    }
    return first;
  }

  async #quiet(isDone: () => boolean): Promise<void> {
    let seen = this.#stirs;
    for (let turns = 0; turns < QUIET_TURNS; turns++) {
      if (isDone()) return;
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      if (this.#stirs === seen) continue;
      seen = this.#stirs;
      turns = -1;
    }
  }
}

/** Lets the machine do what it has begun: a file, a socket. */
function realMoment(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
