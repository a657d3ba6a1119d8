import { callbackify } from 'node:util';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import type { Identity } from '../auth-context.js';
import type { FailedAttempts } from '../failed-attempts.js';
import type { ApiKeysService } from '../keys/api-keys.service.js';

/**
 * Passport's strategy `api-key`: the header `x-api-key`. Once the header is there, even empty, it decides alone; a
 * wrong key does not fall back to a cookie. A wrong key is an error, so that the caller's address is counted.
 */
export function apiKeyStrategy(
  keys: ApiKeysService,
  attempts: FailedAttempts,
): InstanceType<typeof Strategy> {
  const judge = async (request: Request): Promise<Identity | false> => {
    const shown = request.headers['x-api-key'];
    if (shown === undefined) return false;
    const identity = await keys.authenticate(String(shown));
    if (identity === null) throw attempts.refusal(request.ip ?? '');
    return identity;
  };
  return new Strategy(callbackify(judge));
}
