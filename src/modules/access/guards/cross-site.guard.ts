import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../../common/platform/config/helix-config.js';
import { requestSite } from '../../../common/platform/http/request-site.js';
import type { AuthenticatedRequest } from '../auth.decorator.js';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * 403: a cookie goes along with requests that a page of another site makes, so whoever changes something with one must
 * come from our own pages, and say so. API keys are sent on purpose and need no such proof.
 */
@Injectable()
export class CrossSiteGuard implements CanActivate {
  constructor(private readonly config: HelixConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & AuthenticatedRequest>();
    if (request.identity?.type === 'user') this.refuseUnlessOwn(request);
    return true;
  }

  /** @throws HelixError `ACCESS.CROSS_SITE_REQUEST` */
  refuseUnlessOwn(request: Request): void {
    if (safeMethods.has(request.method) || this.#siteOf(request) === 'own') return;
    throw new HelixError(
      'ACCESS.CROSS_SITE_REQUEST',
      'A session cookie changes things from pages of this site only: a program sends the header Origin with the address of this API.',
    );
  }

  /** For what needs no cookie yet: a login that another site's page makes would be into that site's account. */
  refuseForeign(request: Request): void {
    if (this.#siteOf(request) === 'foreign')
      throw new HelixError('ACCESS.CROSS_SITE_REQUEST', 'Pages of other sites may not call here.');
  }

  #siteOf({ headers }: Request): 'own' | 'foreign' | 'unknown' {
    return requestSite(headers, this.config.publicUrl);
  }
}
