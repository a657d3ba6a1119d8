import { parseAddress, TokenBuckets } from '../../common/engine/policies/index.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';

/** Wrong credentials one address may send in a row; one more every few seconds. */
const perMinute = 19;

/**
 * Counts wrong credentials by client address. Valid credentials are never held up by it: behind a proxy that is not
 * trusted all callers share one address, and one guesser must not lock the others out.
 */
export class FailedAttempts {
  readonly #buckets: TokenBuckets;

  constructor(now: () => number = Date.now) {
    this.#buckets = new TokenBuckets(perMinute, { now });
  }

  /**
   * Counts an attempt before it is judged, under each of the places: an address, an account. To be forgiven where the
   * credential was right.
   * @returns the refusal where one of the places has used up its attempts
   */
  claim(places: readonly string[]): HelixError | null {
    const waits = places.map((place) => this.#buckets.take(bucketOf(place)));
    const waitMs = Math.max(...waits);
    if (waitMs === 0) return null;
    places.forEach((place, index) => waits[index] === 0 && this.#buckets.give(bucketOf(place)));
    return tooMany(waitMs);
  }

  forgive(places: readonly string[]): void {
    for (const place of places) this.#buckets.give(bucketOf(place));
  }

  /** Notes a wrong credential. @returns how it is to be answered: 401, or 429 with the seconds to wait */
  refusal(address: string): HelixError {
    const waitMs = this.#buckets.take(bucketOf(address));
    if (waitMs === 0) return new HelixError('ACCESS.UNAUTHENTICATED', 'No valid session or API key.');
    return tooMany(waitMs);
  }
}

function tooMany(waitMs: number): HelixError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new HelixError(
    'ACCESS.RATE_LIMITED',
    `Too many wrong credentials: wait ${retryAfterSeconds} s before the next.`,
    { details: { retryAfterSeconds } },
  );
}

/** An IPv6 client owns a /64 at the least, so that is what has one bucket. */
function bucketOf(place: string): string {
  const at = place.lastIndexOf(' ') + 1;
  const parsed = parseAddress(place.slice(at));
  return parsed?.family === 6 ? `${place.slice(0, at)}${(parsed.value >> 64n).toString(16)}/64` : place;
}
