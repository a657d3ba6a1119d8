import type { HelixError } from '../errors/helix-error.js';

/** What a workflow has done since the start, over all its versions. Times are milliseconds. */
export interface WorkflowCounts {
  readonly started: number;
  readonly completed: number;
  readonly failed: number;
  readonly inFlight: number;
  /** When the last failure was (milliseconds since the epoch) and its code; null where there was none. */
  readonly lastFailure: { readonly code: string; readonly at: number } | null;
  /** Of what has ended; null before the first end. */
  readonly meanMs: number | null;
  readonly maxMs: number | null;
  /** Milliseconds of all that has ended, added up. */
  readonly totalMs: number;
}

/** Counts ways through one workflow, those of direct calls included. */
export class WorkflowCounters {
  #started = 0;
  #completed = 0;
  #failed = 0;
  #totalMs = 0;
  #maxMs = 0;
  #lastFailure: WorkflowCounts['lastFailure'] = null;

  /** @returns when it was, for {@link ended} */
  began(): number {
    this.#started++;
    return performance.now();
  }

  ended(since: number, failure: HelixError | null, now: () => number): void {
    const ms = performance.now() - since;
    this.#totalMs += ms;
    if (ms > this.#maxMs) this.#maxMs = ms;
    if (failure === null) {
      this.#completed++;
      return;
    }
    this.#failed++;
    this.#lastFailure = { code: failure.code, at: now() };
  }

  get inFlight(): number {
    return this.#started - this.#completed - this.#failed;
  }

  counts(): WorkflowCounts {
    const ended = this.#completed + this.#failed;
    return {
      started: this.#started,
      completed: this.#completed,
      failed: this.#failed,
      inFlight: this.inFlight,
      lastFailure: this.#lastFailure,
      meanMs: ended === 0 ? null : this.#totalMs / ended,
      maxMs: ended === 0 ? null : this.#maxMs,
      totalMs: this.#totalMs,
    };
  }
}
