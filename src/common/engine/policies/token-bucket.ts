import type { Clock } from '../api/ports.js';
import { LinkedList, type Linked } from '../model/linked-list.js';

class Bucket implements Linked<Bucket> {
  before: Bucket | null = null;
  after: Bucket | null = null;

  constructor(
    readonly key: string,
    public tokens: number,
    public at: number,
  ) {}
}

/**
 * Token buckets by key: each holds up to `perMinute` tokens and refills evenly. At most `capacity` keys are kept; when
 * more come, the one unused for longest is forgotten, which is the one nearest to full.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  /** The one unused for longest first. */
  readonly #byUse = new LinkedList<Bucket>();

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
    const bucket = this.#used(key, now);
    const elapsed = Math.max(0, now - bucket.at);
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + (elapsed * this.perMinute) / 60_000);
    bucket.at = now;
    // Sums of fractions miss a whole token by a hair: a billionth of one is forgiven.
    if (bucket.tokens + 1e-9 >= count) {
      bucket.tokens = Math.max(0, bucket.tokens - count);
      return 0;
    }
    return Math.max(1, Math.ceil(((count - bucket.tokens) * 60_000) / this.perMinute));
  }

  #used(key: string, now: number): Bucket {
    const known = this.#buckets.get(key);
    if (known !== undefined) {
      this.#byUse.remove(known);
      this.#byUse.append(known);
      return known;
    }
    const oldest = this.#byUse.first;
    if (oldest !== null && this.#buckets.size >= this.capacity) {
      this.#buckets.delete(oldest.key);
      this.#byUse.remove(oldest);
    }
    const bucket = new Bucket(key, this.perMinute, now);
    this.#buckets.set(key, bucket);
    this.#byUse.append(bucket);
    return bucket;
  }
}
