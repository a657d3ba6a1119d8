import { Box } from '../values/box.js';
import { bare, Key, Leaf, MultiObject } from '../values/objects.js';
import { kindOf } from '../values/kind.js';
import type { PlainObject, Value } from '../values/value.js';
import type { Found } from './select.js';

/** Metadata of objects and arrays, which have an identity; never part of equality. */
const known = new WeakMap<object, PlainObject>();

/** The value with metadata: `value <~ {…}` and what a reader knows of its text. */
export function withMetadata(value: Value, meta: PlainObject): Value {
  const plain = bare(value);
  let carrier: object;
  if (Array.isArray(plain)) carrier = [...plain];
  else if (plain instanceof MultiObject) carrier = new MultiObject(plain.keys, plain.values);
  else if (typeof plain === 'object' && plain !== null && !(plain instanceof Box)) carrier = { ...plain };
  else carrier = new Leaf(plain, new Key(''));
  known.set(carrier, { ...known.get(value as object), ...meta });
  return carrier as Value;
}

/** `.^name`, or all of it without a name. */
export function metadataOf(value: Value, name: string | undefined): Found {
  const meta: PlainObject = typeof value === 'object' && value !== null ? { ...known.get(value) } : {};
  if (name === undefined) return Object.keys(meta).length > 0 ? meta : undefined;
  if (Object.hasOwn(meta, name)) return meta[name];
  return name === 'class' ? kindOf(value) : undefined;
}
