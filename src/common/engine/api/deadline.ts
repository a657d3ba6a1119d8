import { HelixError } from '../errors/helix-error.js';
import { abortReason, whenAborted } from './abort.js';
import type { Clock } from './ports.js';

/** A signal that follows another one, and can be aborted by its owner or by the clock. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Aborts for a reason of the owner's; the signal it follows is left alone. */
  abort(reason: HelixError): void;
  /** Takes back the timer and stops following. Call it whatever the outcome. */
  release(): void;
}

/** @param timeoutMs null for no limit of its own */
export function deadline(
  parent: AbortSignal,
  timeoutMs: number | null,
  clock: Clock,
  late: () => HelixError,
): Deadline {
  const controller = new AbortController();
  const releases = [whenAborted(parent, () => controller.abort(abortReason(parent)))];
  if (timeoutMs !== null) releases.push(clock.schedule(timeoutMs, () => controller.abort(late())));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => {
      for (const release of releases) release();
    },
  };
}
