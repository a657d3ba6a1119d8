/** Items of one statement at most: beyond it the statement grows slower than it gains. */
const largestBatch = 256;

interface Waiting<Item, Outcome> {
  readonly item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

export interface BatcherOptions<Item, Outcome> {
  /** One statement for all items; outcomes in the order of the items. */
  flush(items: readonly Item[]): Promise<readonly Outcome[]>;
  /** Whether the database asks to try the same again (serialization failure, deadlock). */
  isRepeatable(error: unknown): boolean;
  /** Told each time a batch could not be written as one: such cases hide faults and are to be counted. */
  onFallback(error: unknown, size: number): void;
}

/**
 * Collects what arrives while a statement is in flight and sends it as the next one (group commit). Idle, an item goes
 * out at once and alone: there is no timer and no added latency. One flush is in flight at a time.
 *
 * A batch that fails is tried once more where the database asks for it, then item by item, so that one item which cannot
 * be stored fails alone.
 */
export class Batcher<Item, Outcome> {
  #waiting: Waiting<Item, Outcome>[] = [];
  #isFlushing = false;

  constructor(private readonly options: BatcherOptions<Item, Outcome>) {}

  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isFlushing) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isFlushing = true;
    try {
      // One turn of the loop lets requests that were read together travel together.
      await Promise.resolve();
      while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, largestBatch));
    } finally {
      this.#isFlushing = false;
    }
  }

  async #send(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      await this.#settle(batch);
      return;
    } catch (error) {
      const again = this.options.isRepeatable(error);
      if (batch.length === 1 && !again) return batch[0]?.reject(error);
      this.options.onFallback(error, batch.length);
      if (again) {
        try {
          await this.#settle(batch);
          return;
        } catch (second) {
          if (batch.length === 1) return batch[0]?.reject(second);
        }
      }
    }
    for (const single of batch) {
      try {
        await this.#settle([single]);
      } catch (error) {
        single.reject(error);
      }
    }
  }

  async #settle(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const outcomes = await this.options.flush(batch.map(({ item }) => item));
    for (const [place, waiting] of batch.entries()) waiting.resolve(outcomes[place] as Outcome);
  }
}
