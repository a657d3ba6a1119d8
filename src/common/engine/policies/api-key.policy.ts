import { scryptSync } from 'node:crypto';
import type { Applicant, Policy } from '../api/policy.js';
import { HelixError } from '../errors/helix-error.js';
import { KeyBlocks } from './key-blocks.js';

/**
 * Lets in whoever shows one of the keys in `Authorization: Bearer` or `X-API-Key`. Compared is in constant time and over
 * all keys whatever matches, so that time tells nothing about any key. Two different keys in one request are refused: a proxy
 * and an application could each believe another one.
 */
export class ApiKeyPolicy implements Policy {
  readonly name = 'api-key';
  readonly #keys: KeyBlocks;
  readonly #principals: readonly string[];
  /** One request is asked about more than once in a row: for admission, for its rate, for its name. */
  #last: Applicant | null = null;
  #lastPrincipal: string | null = null;

  constructor(keys: readonly string[]) {
    const known = [...new Set(keys)];
    this.#keys = new KeyBlocks(known);
    this.#principals = known.map(principalOf);
  }

  admit(applicant: Applicant): HelixError | null {
    return this.principal(applicant) === null ? refusal() : null;
  }

  /** Who shows the key: `key-` and 12 hex digits, the same after a restart, never the key. Null without a valid key. */
  principal(applicant: Applicant): string | null {
    if (applicant === this.#last) return this.#lastPrincipal;
    this.#lastPrincipal = this.#judge(applicant);
    this.#last = applicant;
    return this.#lastPrincipal;
  }

  #judge(applicant: Applicant): string | null {
    const bearer = bearerOf(applicant.header('authorization'));
    const plain = applicant.header('x-api-key');
    const shown = bearer ?? plain;
    if (shown === undefined || (bearer !== undefined && plain !== undefined && bearer !== plain)) return null;
    return this.#principals[this.#keys.indexOf(shown)] ?? null;
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
