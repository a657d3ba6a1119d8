/** Wrong credentials one address may send in a row; then one more for each `refillMs`. */
const allowance = 19;
const refillMs = 3_000;
/** Addresses remembered at most: an attacker with many addresses must not fill the memory. */
const remembered = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Counts wrong credentials by client address, in a token bucket each. Valid credentials are never held up by it: behind
 * a proxy that is not trusted all callers share one address, and one guesser must not lock the others out.
 */
export class FailedAttempts {
  readonly #buckets = new Map<string, Bucket>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Notes a wrong credential. @returns 0 if it may be answered as such, else the seconds to wait */
  note(address: string): number {
    const bucket = this.#read(address);
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) * refillMs) / 1000);
    bucket.tokens -= 1;
    return 0;
  }

  /** Whether the next wrong credential of the address will be refused. */
  isExhausted(address: string): boolean {
    return this.#buckets.has(address) && this.#read(address).tokens < 1;
  }

  #read(address: string): Bucket {
    const now = this.now();
    const known = this.#buckets.get(address);
    this.#buckets.delete(address);
    const bucket = {
      tokens:
        known === undefined
          ? allowance
          : Math.min(allowance, known.tokens + Math.max(0, now - known.at) / refillMs),
      at: now,
    };
    // Last written stands last, so the first is the one unheard of for the longest.
    this.#buckets.set(address, bucket);
    if (this.#buckets.size > remembered) this.#buckets.delete(this.#buckets.keys().next().value ?? '');
    return bucket;
  }
}
