import { step } from '../runtime/machine.js';
import { Box } from './box.js';
import { equals } from './equality.js';
import { Fn } from './fn.js';
import { kindOf } from './kind.js';
import { hasMeta } from './metadata.js';
import { bare, isObject, keysOf, nameOf, valuesOf, type ObjectValue } from './objects.js';
import { Range } from './range.js';
import { FAMILIES, type TypeValue, type TypeShape } from './type-value.js';
import type { Value } from './value.js';

/** Is the value of the type? `deep` looks into arrays and objects too. */
export function accepts(type: TypeValue, given: Value, deep = true): boolean {
  const { shape } = type.resolved();
  const value = bare(given);
  switch (shape.kind) {
    case 'simple':
      return acceptsSimple(shape.name, value);
    case 'union':
      return shape.members.some((member) => accepts(member, given, deep));
    case 'intersection':
      return shape.members.every((member) => accepts(member, given, deep));
    case 'literal':
      return equals(shape.value, value);
    case 'array':
      if (value instanceof Range)
        return !deep || shape.item === undefined || accepts(shape.item, value.from, deep);
      return Array.isArray(value) && (!deep || everyItem(shape.item, value));
    case 'object':
      return isObject(value) && (!deep || acceptsObject(shape, value));
    case 'function':
      return value instanceof Fn;
    case 'tagged':
      return accepts(shape.base, given, deep) && hasMeta(given, shape.meta);
    default:
      return true;
  }
}

function everyItem(item: TypeValue | undefined, values: readonly Value[]): boolean {
  if (item === undefined) return true;
  for (const value of values) {
    step();
    if (!accepts(item, value)) return false;
  }
  return true;
}

function acceptsSimple(name: string, value: Value): boolean {
  switch (name) {
    case 'Any':
    case 'Result':
    case 'Pair':
      return true;
    case 'Nothing':
    case 'NaN':
      return false;
    case 'Array':
    case 'Iterator':
      return Array.isArray(value) || value instanceof Range;
    case 'Object':
    case 'Dictionary':
      return isObject(value);
    case 'String':
      return typeof value === 'string' || (value instanceof Box && value.typeName === 'CData');
    case 'Key':
      return typeof value === 'string' || (value instanceof Box && value.typeName === 'Key');
    case 'Enum':
      return typeof value === 'string';
    default: {
      const kind = kindOf(value);
      return kind === name || (FAMILIES[name]?.includes(kind) ?? false);
    }
  }
}

function acceptsObject(shape: Extract<TypeShape, { kind: 'object' }>, object: ObjectValue): boolean {
  const keys = keysOf(object).map(nameOf);
  const values = valuesOf(object);
  const seen = new Set<number>();
  let rest = !shape.closed;
  for (const field of shape.fields) {
    let found = 0;
    for (const [index, key] of keys.entries()) {
      step();
      if (field.name !== undefined && field.name !== key) continue;
      if (field.name === undefined && seen.has(index)) continue;
      if (!accepts(field.type, values[index] as Value)) {
        if (field.name === undefined) continue;
        return false;
      }
      seen.add(index);
      found++;
      if (field.name !== undefined && !field.repeated) break;
    }
    if (field.name !== undefined && found === 0 && !field.optional) return false;
    if (field.name === undefined) rest = rest && true;
  }
  return rest || seen.size === keys.length;
}
