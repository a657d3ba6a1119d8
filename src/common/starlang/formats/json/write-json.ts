import { formatFault } from '../../errors/fault.js';
import { checkTextLength, machine, step, steps } from '../../runtime/machine.js';
import { Decimal, numberText } from '../../numbers/decimal.js';
import { Temporal } from '../../dates/temporal.js';
import { Binary } from '../../values/atoms.js';
import { kindOf } from '../../values/kind.js';
import {
  bare,
  isObject,
  keysOf,
  Leaf,
  MultiObject,
  nameOf,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from '../../values/objects.js';
import { Range } from '../../values/range.js';
import { textOf } from '../../values/text.js';
import type { PlainObject, Value } from '../../values/value.js';
import type { FormatOptions } from '../format.js';
import { scalarText } from '../format-text.js';

const DEEPEST = 1000;

/** Writes a value as JSON. @throws Fault of kind format for what JSON has no form for */
export function writeJson(value: Value, options: FormatOptions): string {
  return nativeText(value, options) ?? new JsonWriter(options).document(value);
}

/** What JSON.stringify writes as we do: plain data, numbers without exponent. */
function nativeText(value: Value, options: FormatOptions): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (options.skipNullOn !== undefined && options.skipNullOn !== 'none') return undefined;
  const size = { nodes: 0, characters: 0 };
  if (!isNative(value, size, 0) || size.characters > machine.limits.textLength) return undefined;
  steps(size.nodes);
  return JSON.stringify(value, undefined, options.indent === false ? 0 : 2);
}

function isNative(value: Value, size: { nodes: number; characters: number }, depth: number): boolean {
  size.nodes++;
  if (typeof value === 'string') {
    size.characters += value.length + 2;
    return true;
  }
  if (typeof value === 'number') return isShort(value);
  if (typeof value !== 'object') return typeof value === 'boolean';
  if (value === null) return true;
  if (depth > NATIVE_DEPTH || size.nodes > MOST_NATIVE) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isNative(value[i] as Value, size, depth + 1)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key in value) {
    size.characters += key.length + 2;
    if (!isNative((value as PlainObject)[key] as Value, size, depth + 1)) return false;
  }
  return true;
}

/** No exponent in its text. */
const isShort = (value: number) =>
  value === 0 || (value < 1e21 && value > -1e21 && (value >= 1e-6 || value <= -1e-6));

/** Deeper than this the careful writer says what is wrong. */
const NATIVE_DEPTH = 500;
/** A value that holds the same part many times may be of any size written out: the careful writer keeps to the limits. */
const MOST_NATIVE = 5_000_000;

class JsonWriter {
  private readonly indent: boolean;
  private readonly skipInArrays: boolean;
  private readonly skipInObjects: boolean;
  private length = 0;

  constructor(private readonly options: FormatOptions) {
    this.indent = options.indent !== false;
    const skip = options.skipNullOn;
    this.skipInArrays = skip === 'arrays' || skip === 'everywhere';
    this.skipInObjects = skip === 'objects' || skip === 'everywhere' || skip === 'elements';
  }

  document(value: Value): string {
    return this.write(value, '\n', 0);
  }

  private grown(text: string): string {
    this.length += text.length;
    checkTextLength(this.length);
    return text;
  }

  private write(given: Value, line: string, depth: number): string {
    step();
    if (typeof given === 'string') return this.grown(JSON.stringify(given));
    if (typeof given === 'number') return numberText(given);
    if (given === null || typeof given === 'boolean') return String(given);
    if (depth > DEEPEST) throw formatFault(`The value is nested deeper than ${DEEPEST}`);
    const value = bare(given);
    if (Array.isArray(value)) return this.array(value, line, depth);
    if (value instanceof Range) return this.array(value.items(), line, depth);
    if (isObject(value)) return this.object(value, line, depth);
    if (value instanceof Decimal) return numberText(value);
    if (value === null || typeof value === 'boolean') return String(value);
    if (value instanceof Binary) return this.grown(JSON.stringify(value.text()));
    const text = value instanceof Temporal ? scalarText(given) : textOf(value);
    if (text === undefined) throw formatFault(`A ${kindOf(value)} cannot be written as JSON`);
    return typeof value === 'number' ? text : this.grown(JSON.stringify(text));
  }

  private array(items: readonly Value[], line: string, depth: number): string {
    const inner = this.indent ? `${line}  ` : '';
    const parts: string[] = [];
    for (const item of items) {
      if (this.skipInArrays && bare(item) === null) continue;
      parts.push(this.write(item, inner, depth + 1));
    }
    if (parts.length === 0) return '[]';
    return this.indent ? `[${inner}${parts.join(`,${inner}`)}${line}]` : `[${parts.join(',')}]`;
  }

  private object(object: ObjectValue, line: string, depth: number): string {
    const inner = this.indent ? `${line}  ` : '';
    const colon = this.indent ? ': ' : ':';
    const parts: string[] = [];
    for (const [name, value] of this.members(object)) {
      if (this.skipInObjects && bare(value) === null) continue;
      parts.push(`${this.grown(JSON.stringify(name))}${colon}${this.write(value, inner, depth + 1)}`);
    }
    if (parts.length === 0) return '{}';
    return this.indent ? `{${inner}${parts.join(`,${inner}`)}${line}}` : `{${parts.join(',')}}`;
  }

  private members(object: ObjectValue): Iterable<readonly [string, Value]> {
    if (!(object instanceof MultiObject)) return Object.entries(object);
    const values = valuesOf(object);
    let members = keysOf(object).map(
      (key, i) => [nameOf(key), this.withAttributes(key, values[i] as Value)] as const,
    );
    if (this.options.duplicateKeyAsArray === true) {
      const merged = new Map<string, Value[]>();
      for (const [name, value] of members) merged.set(name, [...(merged.get(name) ?? []), value]);
      members = Array.from(
        merged,
        ([name, all]) => [name, all.length === 1 ? (all[0] as Value) : all] as const,
      );
    }
    return members;
  }

  private withAttributes(key: KeyLike, value: Value): Value {
    if (this.options.writeAttributes !== true || typeof key === 'string' || !key.attributes) return value;
    const names = keysOf(key.attributes).map((name) => `@${nameOf(name)}`);
    const values = [...valuesOf(key.attributes)];
    if (names.length === 0) return value;
    const plain = value instanceof Leaf ? value.value : value;
    if (isObject(plain))
      return new MultiObject([...names, ...keysOf(plain)], [...values, ...valuesOf(plain)]);
    return new MultiObject([...names, '__text'], [...values, plain]);
  }
}
