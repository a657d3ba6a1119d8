import { formatFault } from '../../errors/fault.js';
import { checkTextLength, step } from '../../runtime/machine.js';
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
import type { Value } from '../../values/value.js';
import type { FormatOptions } from '../format.js';
import { scalarText } from '../format-text.js';

const DEEPEST = 1000;

/** Writes a value as JSON. @throws Fault of kind format for what JSON has no form for */
export function writeJson(value: Value, options: FormatOptions): string {
  return new JsonWriter(options).document(value);
}

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
