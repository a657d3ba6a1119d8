import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { hasUnreadBody, largestBody, tooLarge } from './body.interceptor.js';

/**
 * 413 for a body that says itself that it is too large, before anybody is asked who they are. Nothing is read: one that
 * does not say so is found out by the body interceptor, once it is known who sends it.
 */
@Injectable()
export class BodySizeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http' || hasUnreadBody(this.reflector, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (Number(request.headers['content-length'] ?? 0) > largestBody) throw tooLarge(request);
    return true;
  }
}
