import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { contextOf, type AuthContext, type Identity } from './auth-context.js';
import { Memberships } from './memberships.js';

/** Builds the one auth context of a request, for the REST guards and for any other edge that speaks for a workspace. */
@Injectable()
export class ContextBuilder {
  constructor(private readonly memberships: Memberships) {}

  /**
   * @param named the workspace of the header `X-Organization-Id`; empty counts as not named
   * @throws HelixError `ACCESS.NO_ACTIVE_ORGANIZATION`, or `ACCESS.NOT_A_MEMBER` for a foreign, unknown, malformed or
   *   suspended workspace alike
   */
  async build(identity: Identity, named: string | undefined, address: string | null): Promise<AuthContext> {
    const organizationId = named?.trim() || identity.defaultOrganizationId;
    if (organizationId === null)
      throw new HelixError(
        'ACCESS.NO_ACTIVE_ORGANIZATION',
        'The request named no active organization: send the header X-Organization-Id.',
      );
    const isForeign = identity.boundTo !== null && identity.boundTo !== organizationId;
    const standing = isForeign ? null : await this.memberships.standing(identity.userId, organizationId);
    if (standing === null)
      throw new HelixError(
        'ACCESS.NOT_A_MEMBER',
        'Authenticated, but not a member of the named organization.',
      );
    return contextOf(identity, standing, address);
  }
}
