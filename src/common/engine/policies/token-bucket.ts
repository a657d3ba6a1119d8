import type { Clock } from '../api/ports.js';

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Token buckets by key: each holds up to `perMinute` tokens and refills evenly. At most `capacity` keys are kept; when
 * more come, the one unused for longest is forgotten, which is the one nearest to full.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly perMinute: number,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly capacity = 10_000,
  ) {}

  get size(): number {
    return this.#buckets.size;
  }

  /** Tokens a key has left, and the milliseconds until it has all of them again. Takes none. */
  left(key: string): { readonly tokens: number; readonly fullInMs: number } {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return { tokens: this.perMinute, fullInMs: 0 };
    const elapsed = Math.max(0, this.clock.now() - bucket.at);
    const tokens = Math.min(this.perMinute, bucket.tokens + (elapsed * this.perMinute) / 60_000);
    return { tokens, fullInMs: ((this.perMinute - tokens) * 60_000) / this.perMinute };
  }

  /** Gives one token back that was taken in vain. */
  give(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.tokens = Math.min(this.perMinute, bucket.tokens + 1);
  }

  /** Takes the tokens, or takes none and says after how many milliseconds they will be there. 0 = taken. */
  take(key: string, count = 1): number {
    const now = this.clock.now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.perMinute, at: now };
    const elapsed = Math.max(0, now - bucket.at);
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + (elapsed * this.perMinute) / 60_000);
    bucket.at = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > this.capacity) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest);
        break;
      }
    }
    // Sums of fractions miss a whole token by a hair: a billionth of one is forgiven.
    if (bucket.tokens + 1e-9 >= count) {
      bucket.tokens = Math.max(0, bucket.tokens - count);
      return 0;
    }
    return Math.max(1, Math.ceil(((count - bucket.tokens) * 60_000) / this.perMinute));
  }
}
