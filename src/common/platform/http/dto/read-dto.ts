import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidatorOptions } from 'class-validator';
import type { FieldProblem } from '../../../engine/errors/helix-error.js';
import { pointerTo } from '../json/json-pointer.js';
import { validationFailed } from '../json/json-text.js';
import { fieldProblems } from './field-problems.js';
import { freeFormPropertiesOf } from './free-form.js';

export type DtoClass = new () => object;

/** More than any DTO has. Class-transformer's time grows with the square of their number: 80,000 took twenty seconds. */
const mostProperties = 200;

const strict: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  validationError: { target: false, value: true },
};

/**
 * Makes a DTO of parsed JSON: unknown properties refused, every validator asked, free-form properties left as sent.
 * @throws HelixError `HTTP.VALIDATION_FAILED`
 */
export function readDto(type: DtoClass, value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw validationFailed([{ path: '', code: 'type', message: 'Send a JSON object.' }]);
  const freeForm = freeFormPropertiesOf(type);
  const sent = new Map(Object.entries(value));
  const standIns = Object.fromEntries(
    [...sent].map(([name, member]) => [name, freeForm.has(name) ? standInFor(member) : member]),
  );
  // What class-transformer passes over in silence or chokes on, and no DTO of ours has.
  const odd = oddNames(standIns, []);
  if (odd.length > 0) throw validationFailed(odd);
  const dto = plainToInstance(type, standIns);
  const errors = validateSync(dto, strict);
  if (errors.length > 0) throw validationFailed(fieldProblems(errors));
  for (const name of freeForm) if (sent.has(name)) Object.assign(dto, { [name]: sent.get(name) });
  return dto;
}

/** Of the same kind, with nothing in it. */
function standInFor(member: unknown): unknown {
  if (Array.isArray(member)) return [];
  return typeof member === 'object' && member !== null ? {} : member;
}

const passedOver = new Set(['__proto__', 'constructor', 'prototype']);

function oddNames(value: unknown, place: readonly (string | number)[]): FieldProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  if (!Array.isArray(value) && entries.length > mostProperties) {
    const message = `At most ${mostProperties} properties are accepted here.`;
    return [{ path: pointerTo(place), code: 'too_many_properties', message }];
  }
  return entries.flatMap(([name, member]) =>
    passedOver.has(name)
      ? [
          {
            path: pointerTo([...place, name]),
            code: 'unknown_property',
            message: 'This property is not known here.',
          },
        ]
      : oddNames(member, [...place, name]),
  );
}
