import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import type { ApiKeysService } from '../keys/api-keys.service.js';
import type { FailedAttempts } from '../failed-attempts.js';

/**
 * Passport's strategy `api-key`: the header `x-api-key`. Once the header is there, even empty, it decides alone; a
 * wrong key does not fall back to a cookie. A wrong key is an error, so that the caller's address is counted.
 */
export function apiKeyStrategy(keys: ApiKeysService, attempts: FailedAttempts): Strategy {
  return new Strategy((request: Request, done) => {
    const shown = request.headers['x-api-key'];
    if (shown === undefined) {
      done(null, false);
      return;
    }
    keys.authenticate(String(shown)).then(
      (identity) => (identity === null ? done(attempts.refusal(request.ip ?? '')) : done(null, identity)),
      (error: unknown) => done(error),
    );
  });
}
