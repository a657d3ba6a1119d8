import { abortReason, whenAborted, type Cancellation } from '../model/cancellation.js';
import type { Clock } from './ports.js';

export { abortReason, Cancellation, whenAborted } from '../model/cancellation.js';

/**
 * The promise, or the reason of the abort as soon as there is one: nobody waits for work that cannot be stopped. `giveUp`
 * is called at that moment.
 */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | Cancellation,
  giveUp?: () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = whenAborted(signal, () => {
      giveUp?.();
      reject(abortReason(signal));
    });
    work.then(
      (value) => {
        forget();
        return resolve(value);
      },
      (thrown: unknown) => {
        forget();
        return reject(thrown);
      },
    );
  });
}

/** Resolves after `ms` milliseconds of the clock; rejects with the reason when the signal is aborted before. */
export function pause(clock: Clock, ms: number, signal: AbortSignal | Cancellation): Promise<void> {
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
