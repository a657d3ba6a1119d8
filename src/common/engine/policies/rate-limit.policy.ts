import type { Applicant, Policy } from '../api/policy.js';
import type { Clock } from '../api/ports.js';
import { HelixError } from '../errors/helix-error.js';
import { TokenBuckets } from './token-bucket.js';

export interface RateLimitInit {
  /** Requests per minute, also the largest burst. */
  readonly perMinute: number;
  readonly clock: Pick<Clock, 'now'>;
  /** Whose bucket: the principal where one is known, else the client's address. */
  readonly principal: (applicant: Applicant) => string;
  /** How many principals are remembered at most. */
  readonly capacity?: number;
}

/** So many requests a minute per principal. The refusal's details hold `retryAfterSeconds`, a whole number from 1. */
export class RateLimitPolicy implements Policy {
  readonly name = 'rate-limit';
  readonly #buckets: TokenBuckets;

  constructor(private readonly init: RateLimitInit) {
    this.#buckets = new TokenBuckets(init.perMinute, init.clock, init.capacity);
  }

  admit(applicant: Applicant): HelixError | null {
    return this.charge(applicant, 1);
  }

  /** For several calls in one request (a JSON-RPC batch): takes as many tokens, or none. */
  charge(applicant: Applicant, count: number): HelixError | null {
    const waitMs = this.#buckets.take(this.init.principal(applicant), count);
    if (waitMs === 0) return null;
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    return new HelixError(
      'ACCESS.RATE_LIMITED',
      `Too many requests: wait ${retryAfterSeconds} s before the next.`,
      { details: { retryAfterSeconds } },
    );
  }
}
