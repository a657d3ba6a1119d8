import { callbackify } from 'node:util';
import type { Request } from 'express';
import { Strategy } from 'passport-custom';
import type { Identity } from '../auth-context.js';
import { identityOfSession } from '../sessions/session.js';
import type { SessionCookies } from '../sessions/session-cookies.js';

/** Passport's strategy `session-cookie`: a login that has not ended. An API key, even an empty one, goes before it. */
export function sessionCookieStrategy(cookies: SessionCookies): InstanceType<typeof Strategy> {
  const judge = async (request: Request): Promise<Identity | false> => {
    if (request.headers['x-api-key'] !== undefined) return false;
    const facts = await cookies.read(request);
    return facts === null ? false : identityOfSession(facts);
  };
  return new Strategy(callbackify(judge));
}
