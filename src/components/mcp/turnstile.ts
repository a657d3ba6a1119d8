import { abortReason, whenAborted } from '../../common/engine/api/abort.js';

/** Lets so many through at a time; the others wait in the order they came, or leave when their signal says so. */
export class Turnstile {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves with the function that gives the place back. Rejects with the signal's reason. */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw abortReason(signal);
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    return () => this.#giveBack();
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        forget();
        resolve();
      };
      const forget = whenAborted(signal, () => {
        this.#waiting.delete(admit);
        reject(abortReason(signal));
      });
      this.#waiting.add(admit);
    });
  }

  #giveBack(): void {
    for (const admit of this.#waiting) {
      this.#waiting.delete(admit);
      admit();
      return;
    }
    this.#free++;
  }
}
