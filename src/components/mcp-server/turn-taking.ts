/** Runs tasks of one key one after the other, in the order they came; tasks of other keys do not wait. */
export class TurnTaking {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const turn = before ? before.then(task) : task();
    const tail = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }

  /** How many keys have a task running or waiting. */
  get size(): number {
    return this.#tails.size;
  }
}
