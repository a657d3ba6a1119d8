import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../../common/platform/config/helix-config.js';
import { SessionCookies } from '../sessions/session-cookies.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CorporateAccounts, type CorporateIdentity } from './corporate-accounts.js';
import { IdentityProvider, type ProvedClaims } from './identity-provider.js';
import { patienceMs } from './pending-login.js';

const address = /^[^\s@]{1,64}@([^\s@]{1,190})$/;

/** Corporate login: to the identity provider and back, into a browser session. */
@Injectable()
export class OidcService {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly cookies: SessionCookies,
    private readonly sessions: SessionsService,
    private readonly accounts: CorporateAccounts,
    private readonly config: HelixConfig,
  ) {}

  /** @returns where the browser goes now */
  async begin(request: Request, returnTo: string): Promise<string> {
    const { url, pending } = await this.provider.begin(returnTo);
    await this.cookies.keepPending(request, pending, patienceMs);
    return url.href;
  }

  /**
   * @returns the path of this site to go on at
   * @throws HelixError `ACCESS.LOGIN_REFUSED`, `ACCESS.ACCOUNT_EXISTS`, `ACCESS.LOGIN_PROVIDER_UNAVAILABLE`
   */
  async finish(request: Request): Promise<string> {
    const pending = await this.cookies.takePending(request);
    if (pending === null || Date.now() - pending.beganAt > patienceMs)
      throw refused('No login is under way in this browser, or it took too long: begin it again.');
    const query = request.originalUrl.slice(request.path.length);
    const identity = this.#judge(await this.provider.finish(query, pending));
    const loggedIn = await this.sessions.personOf(request);
    const person = await this.accounts.admit(identity, loggedIn, request.ip ?? null);
    await this.sessions.begin(request, person, 'oidc');
    return pending.returnTo;
  }

  /** An address that the provider did not verify is anybody's claim. */
  #judge({ issuer, subject, email, emailVerified, name }: ProvedClaims): CorporateIdentity {
    const [, domain] = (typeof email === 'string' && address.exec(email.toLowerCase())) || [];
    if (typeof email !== 'string' || domain === undefined || emailVerified !== true)
      throw refused('The identity provider has no verified e-mail address of yours.');
    if (!this.config.oidc?.domains.includes(domain))
      throw refused('People with addresses of your domain do not log in here this way.');
    const known =
      typeof name === 'string'
        ? name
            .trim()
            .slice(0, 100)
            .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
        : '';
    return { issuer, subject, email: email.toLowerCase(), name: known === '' ? email.toLowerCase() : known };
  }
}

function refused(message: string): HelixError {
  return new HelixError('ACCESS.LOGIN_REFUSED', message);
}
