import { hash, scryptSync, timingSafeEqual } from 'node:crypto';
import type { Applicant, Policy } from '../api/policy.js';
import { HelixError } from '../errors/helix-error.js';

interface KnownKey {
  readonly digest: Buffer;
  readonly principal: string;
}

const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer');

/**
 * Lets in whoever shows one of the keys in `Authorization: Bearer` or `X-API-Key`. Both sides are hashed and compared in
 * constant time, over all keys whatever matches, so that time tells nothing about any key. Two different keys in one
 * request are refused: a proxy and an application could each believe another one.
 */
export class ApiKeyPolicy implements Policy {
  readonly name = 'api-key';
  readonly #keys: readonly KnownKey[];
  /** One request is asked about more than once: for admission, for its rate, for its name. */
  readonly #seen = new WeakMap<Applicant, { readonly principal: string | null }>();

  constructor(keys: readonly string[]) {
    this.#keys = [...new Set(keys)].map((key) => ({ digest: digestOf(key), principal: principalOf(key) }));
  }

  admit(applicant: Applicant): HelixError | null {
    return this.principal(applicant) === null ? refusal() : null;
  }

  /** Who shows the key: `key-` and 12 hex digits, the same after a restart, never the key. Null without a valid key. */
  principal(applicant: Applicant): string | null {
    const known = this.#seen.get(applicant);
    if (known) return known.principal;
    const principal = this.#judge(applicant);
    this.#seen.set(applicant, { principal });
    return principal;
  }

  #judge(applicant: Applicant): string | null {
    const bearer = bearerOf(applicant.header('authorization'));
    const plain = applicant.header('x-api-key');
    const shown = bearer ?? plain;
    if (shown === undefined || (bearer !== undefined && plain !== undefined && bearer !== plain)) return null;
    const digest = digestOf(shown);
    let principal: string | null = null;
    for (const key of this.#keys) if (timingSafeEqual(key.digest, digest)) principal = key.principal;
    return principal;
  }
}

function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer[ \t]+(\S+)[ \t]*$/i.exec(authorization)?.[1];
}

/** Slow on purpose, so that an id in a log does not help to guess a weak key. Runs once per key at start. */
function principalOf(key: string): string {
  return `key-${scryptSync(key, 'helix api key id', 6, { N: 4096 }).toString('hex')}`;
}

function refusal(): HelixError {
  return new HelixError(
    'ACCESS.UNAUTHENTICATED',
    'Send a valid API key as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
    { details: { challenge: 'Bearer' } },
  );
}
