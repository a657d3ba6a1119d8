import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import passport from 'passport';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { AuthenticatedRequest } from '../auth.decorator.js';
import type { Identity } from '../auth-context.js';
import { FailedAttempts } from '../failed-attempts.js';
import { ApiKeysService } from '../keys/api-keys.service.js';
import { ruleOf } from '../operation-rule.js';
import { SessionCookies } from '../sessions/session-cookies.js';
import { apiKeyStrategy } from '../strategies/api-key.strategy.js';
import { sessionCookieStrategy } from '../strategies/session-cookie.strategy.js';

/** 401: who is asking? Nothing of the body was read yet. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  /** Of this app alone: passport's own instance is shared by all apps of a process. */
  readonly #passport = new passport.Passport();

  constructor(
    private readonly reflector: Reflector,
    keys: ApiKeysService,
    attempts: FailedAttempts,
    cookies: SessionCookies,
  ) {
    this.#passport.use('api-key', apiKeyStrategy(keys, attempts));
    this.#passport.use('session-cookie', sessionCookieStrategy(cookies));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & AuthenticatedRequest>();
    const rule = ruleOf(this.reflector, context);
    if (rule === undefined) {
      if (/^\/v1\//i.test(request.path))
        throw new HelixError(
          'ENGINE.INTERNAL',
          `${context.getHandler().name} has no @Operation rule: give it one.`,
        );
      return true;
    }
    if (rule.needs === 'public') return true;
    const identity = await this.#identify(request, http.getResponse());
    if (identity === null) throw new HelixError('ACCESS.UNAUTHENTICATED', 'No valid session or API key.');
    request.identity = identity;
    return true;
  }

  #identify(request: Request, response: Response): Promise<Identity | null> {
    return new Promise((resolve, reject) => {
      const verdict = (error: unknown, identity: Identity | false | null | undefined) =>
        error ? reject(error) : resolve(identity || null);
      const judge = this.#passport.authenticate(
        ['api-key', 'session-cookie'],
        { session: false },
        verdict,
      ) as (request: Request, response: Response, next: (error?: unknown) => void) => void;
      judge(request, response, reject);
    });
  }
}
