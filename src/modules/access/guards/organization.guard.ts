import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { AuthenticatedRequest } from '../auth.decorator.js';
import { ContextBuilder } from '../context-builder.js';
import { ruleOf } from '../operation-rule.js';

/** 400 and 403: in which workspace, and is the caller a member of it today? Completes the auth context. */
@Injectable()
export class OrganizationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly contexts: ContextBuilder,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (ruleOf(this.reflector, context)?.needs !== 'workspace') return true;
    const request = context.switchToHttp().getRequest<Request & AuthenticatedRequest>();
    if (request.identity === undefined) return false;
    const named = request.headers['x-organization-id'];
    request.auth = await this.contexts.build(request.identity, named?.toString(), request.ip ?? null);
    return true;
  }
}
