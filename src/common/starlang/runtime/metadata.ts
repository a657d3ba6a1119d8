import { Temporal } from '../dates/temporal.js';
import { Decimal } from '../numbers/decimal.js';
import { Box } from '../values/box.js';
import { coerceTo } from '../values/coerce.js';
import { bare, Key, Leaf, MultiObject } from '../values/objects.js';
import { kindOf } from '../values/kind.js';
import { keepMeta, metaOf } from '../values/metadata.js';
import type { PlainObject, Value } from '../values/value.js';
import type { Found } from './select.js';

/** The value with metadata: `value <~ {…}` and what a reader knows of its text. */
export function withMetadata(value: Value, meta: PlainObject): Value {
  const plain = bare(value);
  const all = { ...metaOf(value), ...meta };
  if (isScalar(plain)) return new Leaf(plain, value instanceof Leaf ? value.own : new Key(''), all);
  let carrier: object;
  if (Array.isArray(plain)) carrier = [...plain];
  else if (plain instanceof MultiObject) carrier = new MultiObject(plain.keys, plain.values);
  else carrier = { ...(plain as PlainObject) };
  keepMeta(carrier, all);
  return carrier as Value;
}

/** The value of a conversion with the options that shaped it, as `as T {…}` keeps them. */
export function withOptions(value: Value, options: Readonly<Record<string, Value | undefined>>): Value {
  const meta: PlainObject = {};
  for (const [name, option] of Object.entries(options))
    if (option !== undefined && option !== null) meta[name] = option;
  return value === null || Object.keys(meta).length === 0 ? value : withMetadata(value, meta);
}

const isScalar = (value: Value) =>
  typeof value !== 'object' || value === null || (value instanceof Box && !(value instanceof MultiObject));

/** `.^name`, or all of it without a name. */
export function metadataOf(value: Value, name: string | undefined): Found {
  const meta: PlainObject = { ...metaOf(value) };
  if (name === undefined) return Object.keys(meta).length > 0 ? meta : undefined;
  if (Object.hasOwn(meta, name)) return meta[name];
  return name === 'class' ? kindOf(value) : undefined;
}

/** The text of a date or number in the format it was given by `as T {format: "…"}`. */
export function formattedText(value: Value): string | undefined {
  if (!(value instanceof Leaf) || value.meta?.format === undefined) return undefined;
  const { value: plain, meta } = value;
  if (!(plain instanceof Temporal || typeof plain === 'number' || plain instanceof Decimal)) return undefined;
  return coerceTo(plain, 'String', meta) as string;
}
