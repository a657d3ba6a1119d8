import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { AuthenticatedRequest } from '../auth.decorator.js';
import { ruleOf } from '../operation-rule.js';

/**
 * 404: is the operation within the task credential's allowlist? Judged before any workspace is looked at, so that it
 * tells nothing, and by the handler: URLs have many spellings.
 */
@Injectable()
export class AllowlistGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { identity } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const rule = ruleOf(this.reflector, context);
    if (!identity || !rule || identity.operations === null || identity.operations.has(rule.id)) return true;
    throw new HelixError('ACCESS.OUTSIDE_ALLOWLIST', 'The resource does not exist.');
  }
}
