import type { HelixError } from '../errors/helix-error.js';
import { Cancellation } from './abort.js';
import type { Clock } from './ports.js';

/** Follows another one, and can be aborted by its owner or by the clock. */
export class Deadline extends Cancellation {
  readonly #unschedule: (() => void) | null;

  /** @param timeoutMs null for no limit of its own */
  constructor(
    parents: readonly (AbortSignal | Cancellation)[],
    timeoutMs: number | null,
    clock: Clock,
    late: () => HelixError,
  ) {
    super(parents);
    this.#unschedule = timeoutMs === null ? null : clock.schedule(timeoutMs, () => this.abort(late()));
  }

  /** Takes back the timer and stops following. Call it whatever the outcome. */
  override release(): void {
    this.#unschedule?.();
    super.release();
  }
}
