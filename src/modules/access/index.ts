export { actorBehind, actorOf, operator, type Actor } from './actor.js';
export { AccessModule } from './access.module.js';
export { AuditTrail, type AuditAction, type AuditEvent } from './audit-trail.js';
export { Auth, CurrentIdentity } from './auth.decorator.js';
export {
  callerOf,
  mayAccessProject,
  maySeeTool,
  type AuthContext,
  type Identity,
  type Standing,
} from './auth-context.js';
export { ChangeOperation } from './change-operation.decorator.js';
export { CorporateAccounts, type CorporateIdentity } from './oidc/corporate-accounts.js';
export { FailedAttempts } from './failed-attempts.js';
export { ApiKeysService } from './keys/api-keys.service.js';
export type { ApiKey, MintedApiKey, NewApiKey } from './keys/api-key.js';
export { People, type Person } from './people.js';
export { hashPassword, longestPassword, shortestPassword } from './sessions/passwords.js';
export { SessionDto } from './sessions/dto/session.dto.js';
export { presentSession } from './sessions/session.presenter.js';
export { SpendLimits, type SpendLimit } from './spend-limits.js';
export { SessionLevel } from './session-level.js';
export { SessionsService } from './sessions/sessions.service.js';
export { Memberships } from './memberships.js';
export { Operation } from './operation.decorator.js';
export { checkRevision, IfMatch } from './revision.js';
export {
  administrators,
  isMemberRole,
  memberRoles,
  projectAccesses,
  roles,
  scopes,
  type MemberRole,
  type ProjectAccess,
  type Role,
  type Scope,
} from './scope.js';
