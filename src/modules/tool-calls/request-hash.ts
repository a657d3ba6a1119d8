import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/platform/crypto/canonical-json.js';
import { validationFailed } from '../../common/platform/http/json/json-text.js';
import type { CallRequest } from './tool-call.js';

/** Changes when the members below do; a stored hash is compared under its own version. */
export const requestHashVersion = 1;

/**
 * SHA-256 over the canonical JSON (RFC 8785) of what a call asks for. Order of members, white space and `1.0` for `1` do
 * not matter, and a default counts as if it had been written out.
 * @throws HelixError `HTTP.VALIDATION_FAILED` where a text is half of a surrogate pair; not every edge reads as strictly
 *   as the REST API
 */
export function hashRequest({ toolId, input, funding, maxCostMicros, projectId }: CallRequest): Buffer {
  const asked = { v: requestHashVersion, toolId, input, funding, maxCostMicros, projectId };
  return createHash('sha256').update(textOf(asked)).digest();
}

function textOf(asked: object): string {
  try {
    return canonicalJson(asked);
  } catch {
    throw validationFailed([
      { path: '/input', code: 'lone_surrogate', message: 'Half of a surrogate pair is not accepted.' },
    ]);
  }
}
