import type { Clock } from '../api/ports.js';
import type { IdempotencyStore, KeyState } from './idempotency-store.js';

/**
 * Keys in the memory of this process: gone with it, and known to it alone. At most `capacity` keys that are done are
 * kept; when more come, the oldest is forgotten. A key that is being worked on is never forgotten.
 */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #running = new Set<string>();
  /** Until when, oldest first. */
  readonly #done = new Map<string, number>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly capacity = 100_000,
  ) {}

  begin(key: string): KeyState {
    if (this.#running.has(key)) return 'running';
    const until = this.#done.get(key);
    if (until !== undefined && until > this.clock.now()) return 'done';
    this.#done.delete(key);
    this.#running.add(key);
    return 'mine';
  }

  complete(key: string, keepMs: number): void {
    this.#running.delete(key);
    this.#done.delete(key);
    this.#done.set(key, this.clock.now() + keepMs);
    if (this.#done.size <= this.capacity) return;
    const [oldest] = this.#done.keys();
    if (oldest !== undefined) this.#done.delete(oldest);
  }

  release(key: string): void {
    this.#running.delete(key);
  }
}
