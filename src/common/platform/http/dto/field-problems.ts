import type { ValidationError } from 'class-validator';
import type { FieldProblem } from '../../../engine/errors/helix-error.js';
import { pointerTo } from '../json/json-pointer.js';

/** class-validator's names of constraints in words of the API; others become snake case. */
const codes: Readonly<Record<string, string>> = {
  isString: 'type',
  isInt: 'type',
  isNumber: 'type',
  isBoolean: 'type',
  isObject: 'type',
  isArray: 'type',
  nestedValidation: 'type',
  text: 'text',
  wholeNumber: 'whole_number',
  isIn: 'not_allowed',
  isEnum: 'not_allowed',
  isNotEmpty: 'required',
  isDefined: 'required',
  minLength: 'too_short',
  maxLength: 'too_long',
  min: 'too_small',
  max: 'too_large',
  matches: 'pattern',
  whitelistValidation: 'unknown_property',
};

/** class-validator's tree of errors as the API's list: one problem a property, its place a JSON Pointer. */
export function fieldProblems(
  errors: readonly ValidationError[],
  above: readonly string[] = [],
): FieldProblem[] {
  return errors.flatMap((error) => {
    const place = [...above, error.property];
    const [first] = Object.entries(error.constraints ?? {}).toReversed();
    const own = first === undefined ? [] : [problemOf(place, first[0], first[1], error.value)];
    return [...own, ...fieldProblems(error.children ?? [], place)];
  });
}

function problemOf(
  place: readonly string[],
  constraint: string,
  message: string,
  value: unknown,
): FieldProblem {
  const path = pointerTo(place);
  const property = place.at(-1) ?? '';
  if (constraint === 'whitelistValidation')
    return { path, code: 'unknown_property', message: 'This property is not known here.' };
  if (value === undefined) return { path, code: 'required', message: `${property} is required.` };
  const code = codes[constraint] ?? constraint.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { path, code, message: `${message}.` };
}
