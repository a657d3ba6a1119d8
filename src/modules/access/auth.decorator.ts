import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { AuthContext, Identity } from './auth-context.js';

/** What the guards leave on the request. */
export interface AuthenticatedRequest {
  identity?: Identity;
  auth?: AuthContext;
}

/** The context of a handler whose rule needs a workspace: `@Auth() auth: AuthContext`. */
export const Auth = createParamDecorator((_: unknown, context: ExecutionContext): AuthContext => {
  const { auth } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (auth === undefined)
    throw new HelixError('ENGINE.INTERNAL', 'The handler has no rule that needs a workspace.');
  return auth;
});

/** Who asks, for a handler whose rule needs no workspace: `@CurrentIdentity() identity: Identity`. */
export const CurrentIdentity = createParamDecorator((_: unknown, context: ExecutionContext): Identity => {
  const { identity } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (identity === undefined)
    throw new HelixError('ENGINE.INTERNAL', 'The handler has no rule that needs a caller.');
  return identity;
});
