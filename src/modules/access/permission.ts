import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { AuthContext } from './auth-context.js';
import { memberRoles, type Role, type Scope } from './scope.js';

/** What an operation asks of its caller. */
export interface Permission {
  /** The scope an API key must have. */
  readonly scope?: Scope;
  /** Roles that may use it; any member where it is left out. Collaborators only where they are named. */
  readonly roles?: readonly Role[];
}

/** @throws HelixError `ACCESS.INSUFFICIENT_ROLE`, `ACCESS.INSUFFICIENT_SCOPE` */
export function checkPermission(auth: AuthContext, { roles = memberRoles, scope }: Permission): void {
  if (!roles.includes(auth.role))
    throw new HelixError(
      'ACCESS.INSUFFICIENT_ROLE',
      `This needs the role ${roles.join(' or ')} in the workspace.`,
    );
  if (scope !== undefined && auth.identity.scopes !== null && !auth.identity.scopes.has(scope))
    throw new HelixError('ACCESS.INSUFFICIENT_SCOPE', `The API key lacks the scope ${scope}.`);
}
