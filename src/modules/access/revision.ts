import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { HelixError } from '../../common/engine/errors/helix-error.js';

const form = /^(?:"(\d{1,9})"|(\d{1,9}))$/;

/**
 * The revision that the header `If-Match` names (`"3"` or `3`); null where it is left out or `*`: whichever there is.
 * @throws HelixError `HTTP.BAD_REQUEST` for anything else
 */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): number | null => {
  const header = context.switchToHttp().getRequest<Request>().get('if-match')?.trim() ?? '*';
  if (header === '' || header === '*') return null;
  const [, quoted, plain] = form.exec(header) ?? [];
  const digits = quoted ?? plain;
  if (digits === undefined)
    throw new HelixError('HTTP.BAD_REQUEST', 'If-Match must hold the revision you have read, such as "3".');
  return Number(digits);
});

/** @throws HelixError `ACCESS.STALE_REVISION` where the caller has seen another one than there is */
export function checkRevision(present: number, seen: number | null): void {
  if (seen === null || seen === present) return;
  throw new HelixError(
    'ACCESS.STALE_REVISION',
    `It was changed in the meantime: read it again, it is at revision ${present}.`,
  );
}
