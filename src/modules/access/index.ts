export { AccessModule } from './access.module.js';
export { Auth, CurrentIdentity } from './auth.decorator.js';
export {
  callerOf,
  mayAccessProject,
  maySeeTool,
  type AuthContext,
  type Identity,
  type Standing,
} from './auth-context.js';
export { FailedAttempts } from './failed-attempts.js';
export { ApiKeysService } from './keys/api-keys.service.js';
export type { ApiKey, MintedApiKey, NewApiKey } from './keys/api-key.js';
export { Memberships } from './memberships.js';
export { Operation } from './operation.decorator.js';
export { administrators, isRole, roles, scopes, type Role, type Scope } from './scope.js';
