import { budgetFault, typeFault } from '../errors/fault.js';
import { Period } from '../dates/period.js';
import { Temporal } from '../dates/temporal.js';
import { Zone } from '../dates/zone.js';
import { Decimal, reduce } from '../numbers/decimal.js';
import { Binary } from '../values/atoms.js';
import { Box } from '../values/box.js';
import { Fn } from '../values/fn.js';
import { kindOf } from '../values/kind.js';
import {
  bare,
  isObject,
  isPlain,
  isPlainKey,
  keysOf,
  nameOf,
  ObjectBuilder,
  valuesOf,
  type ObjectValue,
} from '../values/objects.js';
import { Range } from '../values/range.js';
import { textOf } from '../values/text.js';
import type { PlainObject, Value } from '../values/value.js';

const DEEPEST = 500;

/**
 * A JavaScript value as the language sees it: what already is of the language is taken as it is, the
 * rest becomes so. Nothing with behaviour gets in: a function inside data is null.
 */
export function fromHost(given: unknown, depth = 0): Value {
  switch (typeof given) {
    case 'string':
    case 'boolean':
      return given;
    case 'number':
      return Number.isFinite(given) ? given : null;
    case 'bigint':
      return reduce(given, 0);
    case 'object':
      return given === null ? null : fromObject(given, depth);
    default:
      return null;
  }
}

/** Inputs that were looked over and that the host promised to keep as they are. */
const prepared = new WeakSet();

/**
 * Looks an input over once, so that runs need not do it again. The host promises that from now on only
 * plain data gets into it: strings, finite numbers, booleans, null, arrays and plain objects of these.
 */
export function prepare(given: unknown): Value {
  return asPrepared(fromHost(given));
}

/** As {@link prepare}, where it is not known whether the input comes again: a small one is looked over each time. */
export function prepareLarge(given: unknown): Value {
  visited = 0;
  const value = fromHost(given);
  return visited > WORTH ? asPrepared(value) : value;
}

/** A value that came from a reader of ours need not be looked over at all. */
export function asPrepared(value: Value): Value {
  if (typeof value === 'object' && value !== null) prepared.add(value);
  return value;
}

/** Objects and lists looked at since {@link prepareLarge} began. */
let visited = 0;
/** To remember an input takes as long as to look so many over. */
const WORTH = 8;

function fromObject(given: object, depth: number): Value {
  if (depth === 0 && prepared.has(given)) return given as Value;
  visited++;
  if (given instanceof Box) return given;
  if (depth > DEEPEST) throw typeFault(`An input is nested deeper than ${DEEPEST} or refers to itself`);
  if (Array.isArray(given)) return fromArray(given, depth);
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype === Object.prototype && isClean(given, depth)) return given as PlainObject;
  if (given instanceof Date) return Number.isNaN(given.getTime()) ? null : Temporal.ofMillis(given.getTime());
  if (given instanceof Uint8Array) return new Binary(given);
  if (given instanceof ArrayBuffer) return new Binary(new Uint8Array(given));
  if (given instanceof Map) return fromEntries(given.entries(), depth);
  if (given instanceof Set) return Array.from(given, (item) => fromHost(item, depth + 1));
  const json: unknown =
    'toJSON' in given && typeof given.toJSON === 'function'
      ? (given.toJSON as () => unknown).call(given)
      : undefined;
  if (json !== undefined && json !== given) return fromHost(json, depth + 1);
  return fromEntries(Object.entries(given), depth);
}

function fromArray(given: readonly unknown[], depth: number): Value {
  for (let i = 0; i < given.length; i++)
    if (needsChange(given[i], depth)) return given.map((item) => fromHost(item, depth + 1));
  return given as Value[];
}

function fromEntries(entries: Iterable<[unknown, unknown]>, depth: number): Value {
  const builder = new ObjectBuilder();
  for (const [key, value] of entries) {
    if (typeof value !== 'function' && value !== undefined)
      builder.add(String(key), fromHost(value, depth + 1));
  }
  return builder.done();
}

/** Would `fromHost` give something else? Nothing is copied when not. */
function needsChange(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return false;
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object') return typeof value !== 'boolean';
  return value !== null && fromObject(value, depth + 1) !== value;
}

/** All of an input is looked at before each run: this is the inner loop of small scripts over large data. */
function isClean(object: object, depth: number): boolean {
  for (const key in object) {
    const first = key.charCodeAt(0);
    if ((first < 58 && !isPlainKey(key)) || (first === 95 && key === '__proto__')) return false;
    if (needsChange((object as Record<string, unknown>)[key], depth)) return false;
  }
  return true;
}

/**
 * Any value of the language as plain JavaScript: objects, arrays, strings, booleans, null, numbers.
 * Of duplicate keys the values become an array; an integer no double holds becomes a bigint, any other
 * exact decimal the nearest double; dates and the like become their text, bytes a Uint8Array.
 */
export function toPlain(given: unknown): unknown {
  written = 0;
  return plainOf(given as Value, 0);
}

/** Containers made since {@link toPlain} began. A part that a value holds several times is made as often. */
let written = 0;
const MOST_CONTAINERS = 2_000_000;

function plainOf(given: Value | undefined, depth: number): unknown {
  const value = bare(given ?? null);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) throw typeFault(`The value is nested deeper than ${DEEPEST}`);
  if (++written > MOST_CONTAINERS)
    throw budgetFault(`The value has more than ${MOST_CONTAINERS} objects and lists when it is written out`);
  if (Array.isArray(value)) return value.map((item) => plainOf(item, depth + 1));
  if (isObject(value)) return plainObject(value, depth);
  if (value instanceof Decimal)
    return value.scale <= 0 ? value.coefficient * 10n ** BigInt(-value.scale) : Number(value.toString());
  if (value instanceof Range) return [...value.items()];
  if (value instanceof Binary) return value.bytes;
  if (value instanceof Temporal || value instanceof Period) return value.toString();
  if (value instanceof Zone) return value.id;
  if (value instanceof Fn) throw typeFault('A function cannot leave the script');
  return textOf(value) ?? kindOf(value);
}

function plainObject(object: ObjectValue, depth: number): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  if (isPlain(object)) {
    for (const key in object) out[key] = plainOf(object[key], depth + 1);
    return out;
  }
  const values = valuesOf(object);
  const merged = new Set<string>();
  for (const [index, key] of keysOf(object).entries()) {
    const name = nameOf(key);
    const value = plainOf(values[index], depth + 1);
    if (!Object.hasOwn(out, name)) {
      Object.defineProperty(out, name, { value, enumerable: true, configurable: true, writable: true });
      continue;
    }
    const before = out[name];
    if (merged.has(name) && Array.isArray(before)) before.push(value);
    else out[name] = [before, value];
    merged.add(name);
  }
  return out;
}
