import type { Clock } from '../api/ports.js';

interface Alarm {
  readonly at: number;
  readonly task: () => void;
}

/** A clock that stands still until it is told to go on, so that retries and time-outs take no real time. */
export class ManualClock implements Clock {
  #now = 1_700_000_000_000;
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return this.#now;
  }

  schedule(ms: number, task: () => void): () => void {
    const alarm = { at: this.#now + ms, task };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** Tasks that wait. Zero after a story proves that it left no timer. */
  get pending(): number {
    return this.#alarms.size;
  }

  /** Goes on by `ms` milliseconds, running what falls due in its order; what a task schedules counts too. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const next = [...this.#alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      this.#alarms.delete(next);
      next.task();
      await settled();
    }
    this.#now = end;
  }
}

/** Lets everything run that waits for no timer. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
