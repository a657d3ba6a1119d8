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

  /**
   * The headers that tell a client its quota: `q` requests in `w` seconds, `r` of them left, all of them again in `t`
   * seconds (draft-ietf-httpapi-ratelimit-headers-12).
   */
  headersFor(applicant: Applicant): { readonly 'RateLimit-Policy': string; readonly RateLimit: string } {
    const { tokens, fullInMs } = this.#buckets.left(this.init.principal(applicant));
    return {
      'RateLimit-Policy': `"requests";q=${this.init.perMinute};w=60`,
      RateLimit: `"requests";r=${Math.floor(tokens)};t=${Math.ceil(fullInMs / 1000)}`,
    };
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
