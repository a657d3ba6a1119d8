import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { AuthenticatedRequest } from '../auth.decorator.js';
import { checkPermission } from '../permission.js';
import { ruleOf } from '../operation-rule.js';
import { SessionLevel } from '../session-level.js';

/** 403: may this role, with this key's scopes or this session, use the operation? */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionLevel,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = ruleOf(this.reflector, context);
    if (rule === undefined || rule.needs === 'public') return true;
    const { identity, auth } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (identity === undefined || (rule.needs === 'workspace' && auth === undefined))
      throw new HelixError('ENGINE.INTERNAL', 'The guards ran in the wrong order.');
    if (auth !== undefined) checkPermission(auth, rule);
    if (rule.session !== undefined) await this.sessions.check(identity, rule.session);
    return true;
  }
}
