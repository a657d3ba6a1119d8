import { typeFault } from '../errors/fault.js';
import { parseTemporal } from '../dates/iso.js';
import { durationBetween, parsePeriod, Period } from '../dates/period.js';
import { Temporal } from '../dates/temporal.js';
import { Zone } from '../dates/zone.js';
import { add, divide, multiply, negate, subtract } from '../numbers/arithmetic.js';
import { Decimal, type Numeric } from '../numbers/decimal.js';
import { coerceTo } from '../values/coerce.js';
import { toNumber } from '../values/coerce-number.js';
import { convertTemporal } from '../values/coerce-temporal.js';
import { equals } from '../values/equality.js';
import { kindOf } from '../values/kind.js';
import {
  bare,
  isObject,
  keysOf,
  nameOf,
  objectFrom,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from '../values/objects.js';
import { Range } from '../values/range.js';
import { preview, textOf } from '../values/text.js';
import type { Value } from '../values/value.js';
import { cells, charge, checkCollectionSize, steps } from './machine.js';

function refuse(op: string, a: Value, b: Value): never {
  const isNull = a === null || b === null;
  throw typeFault(
    `The operator ${op} does not take ${kindOf(a)} (${preview(a)}) and ${kindOf(b)} (${preview(b)})`,
    isNull ? 'null takes no part in arithmetic: give it a value with "default"' : undefined,
  );
}

/** The operand as a number: texts and periods are coerced, everything else is refused. */
function numeric(op: string, value: Value, a: Value, b: Value): Numeric {
  if (typeof value === 'number' || value instanceof Decimal) return value;
  if (value instanceof Period) return toNumber(value);
  const text =
    value !== null && typeof value !== 'boolean' && !(value instanceof Temporal) ? textOf(value) : undefined;
  if (text === undefined || value instanceof Range) return refuse(op, a, b);
  return coerceTo(text, 'Number') as Numeric;
}

export function plus(left: Value, right: Value): Value {
  const [a, b] = [bare(left), bare(right)];
  if (Array.isArray(a) || a instanceof Range) return append(a, right);
  if (a instanceof Temporal && b instanceof Period) return b.addTo(a);
  if (a instanceof Period && b instanceof Temporal) return a.addTo(b);
  if (typeof a === 'string' && b instanceof Period) return b.addTo(temporalText(a, b));
  if (a instanceof Period && typeof b === 'string' && !parsePeriod(b)) return a.addTo(temporalText(b, a));
  if (a instanceof Temporal && typeof b === 'string') return (coerceTo(b, 'Period') as Period).addTo(a);
  return add(numeric('+', a, a, b), numeric('+', b, a, b));
}

/** A text beside a period is a date or time. */
function temporalText(text: string, period: Period): Temporal {
  const found = parseTemporal(text.trim());
  return found ?? refuse('+', text, period);
}

function append(list: Value[] | Range, item: Value): Value[] {
  const items = Array.isArray(list) ? list : list.items();
  checkCollectionSize(items.length + 1);
  steps(items.length >> 4);
  charge(items.length * 2 + 8);
  return [...items, item];
}

export function minus(left: Value, right: Value): Value {
  const [a, b] = [bare(left), bare(right)];
  if (Array.isArray(a)) {
    steps(a.length);
    cells(a.length);
    return a.filter((item) => !equals(item, b));
  }
  if (isObject(a)) return withoutKey(a, b);
  if (a instanceof Temporal) {
    if (b instanceof Period) return b.negated().addTo(a);
    const other = b instanceof Temporal ? b : typeof b === 'string' ? textualTemporal(a, b) : undefined;
    if (other && other.hasDate === a.hasDate)
      return durationBetween(asInstant(other, a), asInstant(a, other));
    return refuse('-', a, b);
  }
  if (a instanceof Period && b instanceof Temporal) return a.negated().addTo(b);
  if (typeof a === 'string' && b instanceof Period) return b.negated().addTo(temporalText(a, b));
  return subtract(numeric('-', a, a, b), numeric('-', b, a, b));
}

function textualTemporal(a: Temporal, b: string): Temporal {
  return coerceTo(b, a.typeName) as Temporal;
}

/** Kinds are made the same: a zone or time that is missing comes from UTC or midnight. */
function asInstant(value: Temporal, other: Temporal): Temporal {
  return other.zone && !value.zone && value.hasDate ? (convertTemporal(value, 'DateTime') ?? value) : value;
}

function withoutKey(object: ObjectValue, name: Value): Value {
  const text = textOf(name);
  if (text === undefined) return refuse('-', object, name);
  const values = valuesOf(object);
  const keys: KeyLike[] = [];
  const kept: Value[] = [];
  for (const [i, key] of keysOf(object).entries()) {
    if (nameOf(key) === text) continue;
    keys.push(key);
    kept.push(values[i] as Value);
  }
  return objectFrom(keys, kept);
}

export function times(left: Value, right: Value): Value {
  const [a, b] = [bare(left), bare(right)];
  return multiply(numeric('*', a, a, b), numeric('*', b, a, b));
}

export function dividedBy(left: Value, right: Value): Value {
  const [a, b] = [bare(left), bare(right)];
  return divide(numeric('/', a, a, b), numeric('/', b, a, b));
}

export function negative(operand: Value): Value {
  const a = bare(operand);
  if (a instanceof Period) return a.negated();
  if (typeof a === 'number' || a instanceof Decimal) return negate(a);
  if (typeof a === 'string') return negate(coerceTo(a, 'Number') as Numeric);
  throw typeFault(`The sign - does not take ${kindOf(a)} (${preview(a)})`);
}

/** `a << x` */
export function pushRight(left: Value, right: Value): Value {
  const a = bare(left);
  return Array.isArray(a) || a instanceof Range ? append(a, right) : refuse('<<', a, right);
}

/** `x >> a` prepends; a date-time shifted into a zone. */
export function pushLeft(left: Value, right: Value): Value {
  const [a, b] = [bare(left), bare(right)];
  if (a instanceof Temporal) {
    const zone = b instanceof Zone ? b : typeof b === 'string' ? Zone.of(b) : undefined;
    if (zone && a.hasTime) return (a.zone ? a : (convertTemporal(a, 'DateTime') ?? a)).in(zone);
    if (typeof b === 'string') throw typeFault(`The time zone "${b}" is not known`);
  }
  if (!Array.isArray(b) && !(b instanceof Range)) return refuse('>>', a, b);
  const items = Array.isArray(b) ? b : b.items();
  checkCollectionSize(items.length + 1);
  steps(items.length >> 4);
  charge(items.length * 2 + 8);
  return [left, ...items];
}

/** A condition: texts "true" and "false" count, everything else but a Boolean is refused. */
export function truth(value: Value, where: string): boolean {
  if (value === true || value === false) return value;
  const plain = bare(value);
  if (typeof plain === 'boolean') return plain;
  if (plain === 'true' || plain === 'false') return plain === 'true';
  throw typeFault(
    `${where} needs a Boolean but got ${kindOf(plain)} (${preview(plain)})`,
    plain === null ? 'the value is missing: give it one with "default"' : undefined,
  );
}
