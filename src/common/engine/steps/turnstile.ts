import { abortReason, whenAborted, type Cancellation } from '../api/abort.js';
import type { Clock } from '../api/ports.js';

interface Waiter {
  readonly pass: () => void;
}

/**
 * Lets at most `rate` through within any span of `perMs`; who comes too early waits in line. A waiter that is aborted
 * leaves the line and uses up nothing.
 */
export class Turnstile {
  /** When the last `rate` went through, oldest first. */
  readonly #passed: number[] = [];
  readonly #line: Waiter[] = [];
  #timer: (() => void) | null = null;

  constructor(
    private readonly rate: number,
    private readonly perMs: number,
    private readonly clock: Clock,
  ) {}

  get waiting(): number {
    return this.#line.length;
  }

  /** Nobody waits, and nobody who came now would have to. */
  get isIdle(): boolean {
    return this.#line.length === 0 && this.#wait() === 0 && this.#passed.length === 0;
  }

  /** Milliseconds until somebody who joins the line now may go through. */
  get expectedWait(): number {
    return this.#wait() + Math.floor(this.#line.length / this.rate) * this.perMs;
  }

  /** Nothing where one may pass at once. Rejects with the reason of the abort. */
  enter(signal: AbortSignal | Cancellation): void | Promise<void> {
    if (this.#line.length === 0 && this.#wait() === 0) {
      this.#passed.push(this.clock.now());
      return;
    }
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(abortReason(signal));
        return;
      }
      const waiter: Waiter = {
        pass: () => {
          forget();
          resolve();
        },
      };
      const forget = whenAborted(signal, () => {
        const at = this.#line.indexOf(waiter);
        if (at >= 0) this.#line.splice(at, 1);
        if (this.#line.length === 0) this.#stop();
        reject(abortReason(signal));
      });
      this.#line.push(waiter);
      this.#watch();
    });
  }

  /** Forgets who is out of the span, and says how long until the next may pass. */
  #wait(): number {
    const now = this.clock.now();
    while (this.#passed.length > 0 && (this.#passed[0] ?? 0) + this.perMs <= now) this.#passed.shift();
    return this.#passed.length < this.rate ? 0 : (this.#passed[0] ?? now) + this.perMs - now;
  }

  #watch(): void {
    this.#timer ??= this.clock.schedule(this.#wait(), () => {
      this.#timer = null;
      while (this.#line.length > 0 && this.#wait() === 0) {
        this.#passed.push(this.clock.now());
        this.#line.shift()?.pass();
      }
      if (this.#line.length > 0) this.#watch();
    });
  }

  #stop(): void {
    this.#timer?.();
    this.#timer = null;
  }
}
