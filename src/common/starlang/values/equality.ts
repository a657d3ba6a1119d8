import { Period } from '../dates/period.js';
import { compareTemporals, Temporal } from '../dates/temporal.js';
import { Zone } from '../dates/zone.js';
import { Decimal, parseNumber } from '../numbers/decimal.js';
import { compareNumbers } from '../numbers/arithmetic.js';
import { Regex } from '../regex/regex.js';
import { charge, same as identical, step } from '../runtime/machine.js';
import type { Box } from './box.js';
import { Binary, CData, Uri } from './atoms.js';
import {
  bare,
  isObject,
  Key,
  keysOf,
  nameOf,
  Namespace,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from './objects.js';
import { Range } from './range.js';
import { TypeValue } from './type-value.js';
import { textOf } from './text.js';
import type { Value } from './value.js';

/** `==`: deep, without coercion; the order of an object's keys matters, metadata does not. */
export function equals(left: Value, right: Value): boolean {
  if (identical(left, right)) return true;
  if (typeof left !== 'object' && typeof right !== 'object') return false;
  return equalValues(plain(left), plain(right), equals);
}

/** Text-like values compare as text. */
function plain(given: Value): Value {
  const value = bare(given);
  if (value instanceof Key) return value.name;
  if (value instanceof CData || value instanceof Uri) return value.text;
  if (value instanceof Range) return value.items();
  return value;
}

function equalValues(a: Value, b: Value, same: (a: Value, b: Value) => boolean): boolean {
  if (identical(a, b)) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) {
      step();
      if (!same(a[i] as Value, b[i] as Value)) return false;
    }
    return true;
  }
  if (isObject(a)) return isObject(b) && equalObjects(a, b, same);
  if (a instanceof Decimal) return b instanceof Decimal && compareNumbers(a, b) === 0;
  if (a instanceof Temporal)
    return b instanceof Temporal && a.typeName === b.typeName && compareTemporals(a, b) === 0;
  if (a instanceof Period) return b instanceof Period && a.toString() === b.toString();
  if (a instanceof Zone) return b instanceof Zone && a.id === b.id;
  if (a instanceof TypeValue)
    return b instanceof TypeValue && a.resolved().toString() === b.resolved().toString();
  if (a instanceof Binary) return b instanceof Binary && Buffer.compare(a.bytes, b.bytes) === 0;
  if (a instanceof Regex) return b instanceof Regex && a.source === b.source;
  if (a instanceof Namespace) return b instanceof Namespace && a.uri === b.uri;
  return false;
}

function equalObjects(a: ObjectValue, b: ObjectValue, same: (a: Value, b: Value) => boolean): boolean {
  const [keysA, keysB] = [keysOf(a), keysOf(b)];
  if (keysA.length !== keysB.length) return false;
  const [valuesA, valuesB] = [valuesOf(a), valuesOf(b)];
  for (let i = 0; i < keysA.length; i++) {
    step();
    if (nameOf(keysA[i] as KeyLike) !== nameOf(keysB[i] as KeyLike)) return false;
    if (!same(valuesA[i] as Value, valuesB[i] as Value)) return false;
  }
  return true;
}

/** `~=`: scalars are coerced to each other, also inside arrays and objects. */
export function similar(left: Value, right: Value): boolean {
  const [a, b] = [plain(left), plain(right)];
  if (equalValues(a, b, similar)) return true;
  if (typeof a === 'string') return similarText(a, b);
  if (typeof b === 'string') return similarText(b, a);
  return false;
}

function similarText(text: string, other: Value): boolean {
  if (typeof other === 'number' || other instanceof Decimal) {
    const number = parseNumber(text.trim());
    return number !== undefined && compareNumbers(number, other) === 0;
  }
  if (typeof other === 'boolean') return text === String(other);
  if (other instanceof Temporal || other instanceof Period || other instanceof TypeValue)
    return text === other.toString();
  if (other instanceof Zone) return text === other.id;
  if (other instanceof Regex) return text === other.source;
  return false;
}

/** A text that is the same exactly for equal values: the key of sets of values. */
export function identityOf(given: Value): string {
  step();
  const value = plain(given);
  if (value === null) return 'n';
  if (typeof value === 'string') {
    charge(value.length);
    return `s${JSON.stringify(value)}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => identityOf(item)).join()}]`;
  if (isObject(value)) {
    const values = valuesOf(value);
    return `{${keysOf(value)
      .map((key, i) => `${JSON.stringify(nameOf(key))}:${identityOf(values[i] as Value)}`)
      .join()}}`;
  }
  if (value instanceof Temporal) return `t${value.typeName}${value.seconds}.${value.nanoOfSecond}`;
  if (value instanceof Binary) return `b${value.text('base64')}`;
  if (value instanceof Decimal) return value.toString();
  const text = value instanceof TypeValue ? value.toString() : textOf(value);
  return `${value.typeName}${text ?? `#${serialOf(value)}`}`;
}

const serials = new WeakMap<Box, number>();
let serial = 0;

/** Functions have no text: each is only like itself. */
function serialOf(value: Box): number {
  let found = serials.get(value);
  if (found === undefined) serials.set(value, (found = ++serial));
  return found;
}
