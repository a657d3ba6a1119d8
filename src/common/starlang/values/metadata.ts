import { equals } from './equality.js';
import { Leaf } from './objects.js';
import type { PlainObject, Value } from './value.js';

/** Metadata of objects and arrays, which have an identity; never part of equality. */
const known = new WeakMap<object, PlainObject>();

/** What is known of a value beside itself: `as T {…}`, `<~ {…}`, what a reader says of its text. */
export const metaOf = (value: Value): Readonly<PlainObject> | undefined =>
  value instanceof Leaf
    ? value.meta
    : typeof value === 'object' && value !== null
      ? known.get(value)
      : undefined;

export function keepMeta(carrier: object, meta: PlainObject): void {
  known.set(carrier, meta);
}

/** Has the value all of this metadata? `class` names a type of the peer's host and means nothing here. */
export function hasMeta(value: Value, wanted: Readonly<Record<string, Value>>): boolean {
  const meta = metaOf(value);
  return Object.entries(wanted).every(
    ([name, one]) =>
      name === 'class' ||
      (meta !== undefined && Object.hasOwn(meta, name) && equals(meta[name] as Value, one)),
  );
}
