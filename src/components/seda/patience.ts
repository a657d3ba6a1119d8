import type { Clock } from '../../common/engine/api/ports.js';
import { LinkedList, type Linked } from '../../common/engine/model/linked-list.js';

class Waiter implements Linked<Waiter> {
  before: Waiter | null = null;
  after: Waiter | null = null;
  isIn = true;

  constructor(
    readonly due: number,
    readonly giveUp: () => void,
  ) {}
}

/**
 * One timer for all that wait equally long: they give up in the order in which they came. The timer stands for the one
 * who waits longest, and is only moved when it rings.
 */
export class Patience {
  readonly #waiters = new LinkedList<Waiter>();
  #cancel: (() => void) | null = null;

  /** @param timeoutMs 0 for patience without end */
  constructor(
    private readonly timeoutMs: number,
    private readonly clock: Clock,
  ) {}

  /** Calls `giveUp` when the time is over; the returned function ends the wait. */
  wait(giveUp: () => void): () => void {
    if (this.timeoutMs === 0) return nothing;
    const waiter = new Waiter(this.clock.now() + this.timeoutMs, giveUp);
    this.#waiters.append(waiter);
    this.#cancel ??= this.clock.schedule(this.timeoutMs, () => this.#ring());
    return () => this.#leave(waiter);
  }

  #leave(waiter: Waiter): void {
    this.#remove(waiter);
    if (this.#waiters.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }

  #ring(): void {
    this.#cancel = null;
    const now = this.clock.now();
    for (let { first } = this.#waiters; first !== null; { first } = this.#waiters) {
      if (first.due > now) {
        this.#cancel ??= this.clock.schedule(first.due - now, () => this.#ring());
        return;
      }
      this.#remove(first);
      first.giveUp();
    }
  }

  #remove(waiter: Waiter): void {
    if (!waiter.isIn) return;
    waiter.isIn = false;
    this.#waiters.remove(waiter);
  }
}

const nothing = (): void => undefined;
