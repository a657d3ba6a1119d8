import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { Operation, type OperationInit } from './operation.decorator.js';

/** An operation that changes a thing with a revision: it takes the header `If-Match`, read by `@IfMatch()`. */
export function ChangeOperation(init: OperationInit): MethodDecorator {
  const stale = 'It was changed in the meantime: the revision of If-Match is no longer the present one.';
  const conflict = init.errors?.[409];
  const sentence =
    conflict === undefined ? stale : `${conflict} Or it was changed in the meantime (If-Match).`;
  return applyDecorators(
    Operation({ ...init, errors: { ...init.errors, 409: sentence } }),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The `revision` you have read: the change is refused with 409 where it is no longer the present one.',
      schema: { type: 'string', example: '"1"' },
    }),
  );
}
