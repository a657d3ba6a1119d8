import { HelixError } from '../errors/helix-error.js';
import type { Clock } from './ports.js';

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `task` once when the signal is aborted; the returned function takes it back. However many wait, the signal itself
 * carries one listener, so that a signal shared by thousands of exchanges costs none of them a search.
 */
export function whenAborted(signal: AbortSignal, task: () => void): () => void {
  if (signal.aborted) {
    task();
    return () => undefined;
  }
  let tasks = waiting.get(signal);
  if (!tasks) {
    const fresh = new Set<() => void>();
    waiting.set(signal, (tasks = fresh));
    signal.addEventListener(
      'abort',
      () => {
        for (const each of fresh) each();
        fresh.clear();
      },
      { once: true },
    );
  }
  const mine = tasks;
  mine.add(task);
  return () => void mine.delete(task);
}

/** Why the signal was aborted, as an error of the table: `ENGINE.CANCELLED` unless the reason says otherwise. */
export function abortReason(signal: AbortSignal): HelixError {
  const reason: unknown = signal.reason;
  if (reason instanceof HelixError) return reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new HelixError('ENGINE.TIMED_OUT', 'The work took longer than its time-out allows.', {
      cause: reason,
    });
  }
  return new HelixError('ENGINE.CANCELLED', 'The caller went away before the work was done.', {
    cause: reason,
  });
}

/**
 * The promise, or the reason of the abort as soon as there is one: nobody waits for work that cannot be stopped. `giveUp`
 * is called at that moment.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal, giveUp?: () => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = whenAborted(signal, () => {
      giveUp?.();
      reject(abortReason(signal));
    });
    work.then(resolve, reject).finally(forget);
  });
}

/** Resolves after `ms` milliseconds of the clock; rejects with the reason when the signal is aborted before. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortReason(signal));
      return;
    }
    let forget: (() => void) | null = null;
    const unschedule = clock.schedule(ms, () => {
      forget?.();
      resolve();
    });
    forget = whenAborted(signal, () => {
      unschedule();
      reject(abortReason(signal));
    });
  });
}
