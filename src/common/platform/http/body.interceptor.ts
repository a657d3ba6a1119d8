import {
  SetMetadata,
  type CallHandler,
  type CustomDecorator,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { HelixError } from '../../engine/errors/helix-error.js';
import { validationFailed } from './json/json-text.js';

/** Largest request body in bytes. */
export const largestBody = 1_048_576;

const unread = 'helix:unread-body';

/** The handler reads the request itself (a stream, a protocol of its own): its body is left alone. */
export const UnreadBody = (): CustomDecorator => SetMetadata(unread, true);

/** Whether the handler reads the request, and writes the answer, itself. */
export function hasUnreadBody(reflector: Reflector, context: ExecutionContext): boolean {
  const places = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<boolean | undefined>(unread, places) ?? false;
}

/**
 * Reads the body into `request.body` as bytes. It stands here and not in a middleware because interceptors run after
 * the guards: who has no key is told so (401) before anything of the body is looked at, and nobody fills the memory
 * without one.
 */
export class BodyInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    if (!hasUnreadBody(this.reflector, context)) request.body = await readBody(request, takesBody(context));
    return next.handle();
  }
}

/** Whether the handler has a parameter with @Body(). */
function takesBody(context: ExecutionContext): boolean {
  const { name } = context.getHandler();
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name);
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
}

async function readBody(request: Request, isTaken: boolean): Promise<Buffer> {
  const length = request.headers['content-length'];
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0;
  if (!hasBody) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largestBody) throw tooLarge(request);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof HelixError) throw cause;
    throw new HelixError('ENGINE.CANCELLED', 'The request ended before its body did.', { cause });
  }
  // Judged when there is one, so that an empty POST needs no header.
  if (size > 0) checkForm(request, isTaken);
  return Buffer.concat(chunks);
}

/** What is still to come is thrown away, so that the client gets to read the answer; then the connection ends. */
export function tooLarge(request: Request): HelixError {
  request.res?.setHeader('Connection', 'close');
  request.resume();
  return new HelixError('HTTP.PAYLOAD_TOO_LARGE', `The body is larger than ${largestBody} bytes.`);
}

/** JSON alone: forms and plain text are what another site's page can send without asking the browser. */
function checkForm(request: Request, isTaken: boolean): void {
  const refused = (code: string, message: string) =>
    isTaken
      ? validationFailed([{ path: '', code, message }])
      : new HelixError('HTTP.BAD_REQUEST', `This operation takes no body. ${message}`);
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/([a-z0-9.+-]+\+)?json$/.test(type))
    throw refused('content_type', 'Send JSON with the header Content-Type: application/json.');
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw refused('content_encoding', 'Send the body uncompressed.');
}
