import { isPlainObject } from '../../common/engine/model/is-record.js';
import type { FieldProblem } from '../../common/engine/errors/helix-error.js';
import { isolate } from '../../common/engine/model/isolate.js';
import type { FieldDef } from '../../common/engine/model/tool-definition.js';

export type Fields = Readonly<Record<string, FieldDef>>;

/** Violations beyond this many are not looked for: a list of ten thousand wrong items needs no ten thousand sentences. */
const MOST = 50;

/**
 * Arguments with the declared defaults filled in (each call its own copy), as a map of its own. What is not declared stays
 * as it came, in the body only.
 */
export function withDefaults(
  given: Readonly<Record<string, unknown>>,
  fields: Fields,
): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(given));
  for (const [name, field] of Object.entries(fields)) {
    if (values.has(name)) values.set(name, deeper(values.get(name), field));
    else if (field.default !== undefined) values.set(name, isolate(field.default));
  }
  // fromEntries keeps an argument called `__proto__` an own property and the prototype as it is.
  return Object.fromEntries(values);
}

function deeper(value: unknown, field: FieldDef): unknown {
  if (field.type === 'object' && field.fields && isPlainObject(value))
    return withDefaults(value, field.fields);
  const { items } = field;
  if (field.type === 'array' && items && Array.isArray(value))
    return value.map((item) => deeper(item, items));
  return value;
}

/**
 * What is wrong with the arguments, in the order the fields are declared: required fields, types, allowed values, nested
 * fields and items. `integer` and `number` take any finite number, as JSON knows only one kind; a type that is not known
 * passes (contract/tool-component, "Type lenience").
 */
export function violations(args: Readonly<Record<string, unknown>>, fields: Fields): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  checkFields(args, fields, '', found);
  return found;
}

function checkFields(
  values: Readonly<Record<string, unknown>>,
  fields: Fields,
  at: string,
  found: FieldProblem[],
): void {
  for (const [name, field] of Object.entries(fields)) {
    const path = `${at}/${escape(name)}`;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || (value === null && field.required)) {
      if (field.required) report(found, path, 'required', 'is required');
    } else check(value, field, path, found);
  }
}

function check(value: unknown, field: FieldDef, path: string, found: FieldProblem[]): void {
  if (found.length >= MOST) return;
  const expected = mismatch(value, field.type);
  if (expected !== null) {
    report(found, path, 'type', `must be ${expected}, but is ${kindOf(value)}`);
    return;
  }
  if (field.enum && !field.enum.some((allowed) => equal(allowed, value))) {
    report(
      found,
      path,
      'enum',
      `must be one of ${field.enum.map((allowed) => JSON.stringify(allowed)).join(', ')}`,
    );
    return;
  }
  if (field.type === 'object' && field.fields && isPlainObject(value))
    checkFields(value, field.fields, path, found);
  const { items } = field;
  if (field.type === 'array' && items && Array.isArray(value)) {
    value.forEach((item, index) => check(item, items, `${path}/${index}`, found));
  }
}

/** What the value should have been, null where it fits. */
function mismatch(value: unknown, type: string): string | null {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? null : 'a string';
    case 'number':
    case 'integer':
      return Number.isFinite(value) || typeof value === 'bigint'
        ? null
        : type === 'integer'
          ? 'an integer'
          : 'a number';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'object':
      return isPlainObject(value) ? null : 'an object';
    case 'array':
      return Array.isArray(value) ? null : 'an array';
    default:
      return null;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Equal as JSON: the order of an object's keys does not count. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => equal(item, b[at]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
  );
}

function report(found: FieldProblem[], path: string, code: string, message: string): void {
  if (found.length < MOST) found.push({ path, code, message });
}

/** A name as a token of a JSON Pointer (RFC 6901, section 3). */
function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
