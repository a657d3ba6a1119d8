/** A connection with an answer under way. */
export interface Beating {
  beat(): void;
}

/**
 * Lets open connections give a sign of life about every `everyMs`, before a proxy or a client cuts them as dead. One
 * timer for all of them, and none while nothing is open.
 */
export class Heartbeat {
  readonly #since = new Map<Beating, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(readonly everyMs = 15_000) {}

  get size(): number {
    return this.#since.size;
  }

  add(beating: Beating): void {
    this.#since.set(beating, performance.now());
    this.#timer ??= setInterval(() => this.#tick(), Math.max(1, (this.everyMs * 2) / 3)).unref();
  }

  remove(beating: Beating): void {
    this.#since.delete(beating);
    if (this.#since.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    // What has just begun is left alone: most answers are there long before the next tick.
    const before = performance.now() - this.everyMs / 3;
    for (const [beating, since] of this.#since) if (since <= before) beating.beat();
  }
}
