import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { HelixError } from '../../../engine/errors/helix-error.js';
import { readJson } from '../json/json-text.js';
import { readDto, type DtoClass } from './read-dto.js';

const plainTypes: ReadonlySet<unknown> = new Set([String, Number, Boolean, Object, Array, undefined]);
const longestParameter = 1_024;

/**
 * What every argument of a handler passes, set for the whole app by `createApp`:
 *
 * - `@Body() dto: SomeDto` – strict JSON (json-text.ts), validated; a fault is a ValidationError (400). An absent body
 *   counts as `{}`, so that the missing properties are named. `@Body() body: Buffer` gives the bytes themselves.
 * - `@Query() query: SomeQueryDto` – unknown parameters ignored, repeated ones and wrong values an ApiError (400),
 *   since ValidationError is kept for bodies. `@Query('name') name?: string` refuses repetition as well.
 * - `@Param('id') id: string` – NUL, lone surrogates and more than 1,024 characters are 404: no such id exists.
 */
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (type === 'body') return readBody(value, metatype);
    if (type === 'query') return readQuery(value, metatype, data);
    if (type === 'param') return readParameter(value);
    return value;
  }
}

function readBody(value: unknown, metatype: ArgumentMetadata['metatype']): unknown {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.alloc(0);
  if ((metatype as unknown) === Buffer) return bytes;
  const json = bytes.length === 0 ? {} : readJson(bytes);
  return plainTypes.has(metatype) ? json : readDto(metatype as DtoClass, json);
}

function readQuery(
  value: unknown,
  metatype: ArgumentMetadata['metatype'],
  name: string | undefined,
): unknown {
  if (name !== undefined) return once(name, value);
  if (plainTypes.has(metatype) || typeof value !== 'object' || value === null) return value;
  const dto = plainToInstance(metatype as DtoClass, { ...value });
  const errors = validateSync(dto, { whitelist: true, forbidUnknownValues: true });
  for (const { property } of errors) once(property, (value as Record<string, unknown>)[property]);
  const [first] = errors;
  const [message] = Object.values(first?.constraints ?? {});
  if (first !== undefined) throw wrongQuery(message ?? `${first.property} is wrong`);
  for (const property of Object.keys(dto)) once(property, (value as Record<string, unknown>)[property]);
  return dto;
}

function once(name: string, value: unknown): unknown {
  if (Array.isArray(value)) throw wrongQuery(`${name} was given more than once`);
  return value;
}

function wrongQuery(message: string): HelixError {
  return new HelixError('HTTP.BAD_REQUEST', `Query parameter: ${message}.`);
}

function readParameter(value: unknown): unknown {
  const isImpossible =
    typeof value === 'string' &&
    (value.length > longestParameter || value.includes('\0') || /\p{Surrogate}/u.test(value));
  if (isImpossible) throw new HelixError('HTTP.UNKNOWN_ROUTE', 'There is nothing with this identifier.');
  return value;
}
