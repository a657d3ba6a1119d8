import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { AuthenticatedRequest } from '../auth.decorator.js';
import { checkPermission } from '../permission.js';
import { ruleOf } from '../operation-rule.js';

/** 403: may this role, with this key's scopes, use the operation? */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const rule = ruleOf(this.reflector, context);
    if (rule?.needs !== 'workspace') return true;
    const { auth } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (auth === undefined) throw new HelixError('ENGINE.INTERNAL', 'The guards ran in the wrong order.');
    checkPermission(auth, rule);
    return true;
  }
}
