import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Permission } from './permission.js';

/** What a caller needs to use one operation. Guards read it from the handler, never from the URL. */
export interface OperationRule extends Permission {
  /** The operation's id in the OpenAPI document: what the allowlist of a task credential names. */
  readonly id: string;
  /** `public`: no credential is asked. `identity`: a credential, but no workspace. `workspace`: both. */
  readonly needs: 'public' | 'identity' | 'workspace';
  /** Asks for a browser session, or for one of a person whose address was proved. Left out, an API key will do. */
  readonly session?: 'any' | 'verified';
}

const key = 'helix:operation';

export const Rule = (rule: OperationRule) => SetMetadata(key, rule);

/** The rule of a method of a controller; undefined where it is no operation. */
export function ruleOfHandler(reflector: Reflector, method: unknown): OperationRule | undefined {
  return typeof method === 'function' ? reflector.get<OperationRule | undefined>(key, method) : undefined;
}

export function ruleOf(reflector: Reflector, context: ExecutionContext): OperationRule | undefined {
  return reflector.get<OperationRule | undefined>(key, context.getHandler());
}
