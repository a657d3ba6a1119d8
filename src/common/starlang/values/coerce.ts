import { formatTemporal } from '../dates/format-temporal.js';
import { parsePeriod, Period } from '../dates/period.js';
import { Temporal } from '../dates/temporal.js';
import { Zone } from '../dates/zone.js';
import { roundTo } from '../numbers/arithmetic.js';
import { Decimal, numberText, toDecimal, type Numeric } from '../numbers/decimal.js';
import { formatNumber, roundingOf } from '../numbers/format-number.js';
import { Regex } from '../regex/regex.js';
import { charge } from '../runtime/machine.js';
import { accepts } from './accepts.js';
import { Binary, CData, Uri } from './atoms.js';
import { charsetOf } from './charset.js';
import { toNumber } from './coerce-number.js';
import { NONE, optionText, refuse, type CoerceOptions } from './coerce-options.js';
import { toTemporal } from './coerce-temporal.js';
import { kindOf } from './kind.js';
import {
  bare,
  isObject,
  Key,
  keysOf,
  objectFrom,
  ObjectBuilder,
  valuesOf,
  type KeyLike,
  member,
  Namespace,
} from './objects.js';
import { Range } from './range.js';
import { textOf } from './text.js';
import { FAMILIES, type TypeValue } from './type-value.js';
import type { Value } from './value.js';

/** `value as type`. @throws Fault of kind coercion */
export function coerce(given: Value, type: TypeValue, extra: CoerceOptions = NONE): Value {
  const target = type.resolved();
  const options = type.meta || target.meta ? { ...target.meta, ...type.meta, ...extra } : extra;
  const { shape } = target;
  switch (shape.kind) {
    case 'simple':
      return coerceTo(bare(given), shape.name, options);
    case 'union': {
      for (const member of shape.members) if (accepts(member, given)) return given;
      for (const member of shape.members) {
        try {
          return coerce(given, member, options);
        } catch {
          continue;
        }
      }
      return refuse(given, type.toString());
    }
    case 'array': {
      const items = coerceTo(bare(given), 'Array', options) as Value[];
      const { item } = shape;
      return item ? items.map((one) => (accepts(item, one) ? one : coerce(one, item))) : items;
    }
    case 'object': {
      const object = bare(given);
      if (!isObject(object)) return coerceTo(object, 'Object', options);
      const values = valuesOf(object);
      const builder = new ObjectBuilder();
      for (const [index, key] of keysOf(object).entries()) {
        const field =
          shape.fields.find(({ name }) => name === String(key)) ??
          shape.fields.find(({ name }) => name === undefined);
        const value = values[index] as Value;
        builder.add(key, field && !accepts(field.type, value) ? coerce(value, field.type) : value);
      }
      return builder.done();
    }
    default:
      if (accepts(target, given)) return given;
      return shape.kind === 'literal'
        ? coerceLiteral(given, shape.value, type)
        : refuse(given, type.toString());
  }
}

function coerceLiteral(given: Value, wanted: Value, type: TypeValue): Value {
  const text = textOf(given);
  return text !== undefined && text === textOf(wanted) ? wanted : refuse(given, type.toString());
}

/** A text that is made counts against the budget of the run. */
function counted(from: Value, text: string): string {
  if (typeof from !== 'string') charge(text.length);
  return text;
}

/** To a built-in type by name. */
export function coerceTo(value: Value, name: string, options: CoerceOptions = NONE): Value {
  switch (name) {
    case 'Any':
    case 'Result':
    case 'Pair':
      return value;
    case 'String':
      return counted(value, toText(value, options));
    case 'Number':
      return toNumber(value, options);
    case 'Boolean':
      return toBoolean(value);
    case 'Null':
      return value === null ? null : refuse(value, name);
    case 'Array':
    case 'Iterator':
      return toArray(value);
    case 'Object':
    case 'Dictionary':
      return toObject(value);
    case 'Date':
    case 'DateTime':
    case 'LocalDateTime':
    case 'Time':
    case 'LocalTime':
      return toTemporal(value, name, options);
    case 'TimeZone':
      if (value instanceof Temporal && value.zone) return value.zone;
      return (
        (typeof value === 'string' ? Zone.of(value) : value instanceof Zone ? value : undefined) ??
        refuse(value, name)
      );
    case 'Period':
      if (value instanceof Period) return value;
      return (typeof value === 'string' ? parsePeriod(value) : undefined) ?? refuse(value, name);
    case 'Regex':
      return value instanceof Regex
        ? value
        : typeof value === 'string'
          ? new Regex(value)
          : refuse(value, name);
    case 'Namespace':
      return value instanceof Namespace ? value : (namespaceOf(value) ?? refuse(value, name));
    case 'Uri':
      return value instanceof Uri ? value : new Uri(textOf(value) ?? refuse(value, name));
    case 'CData':
      return value instanceof CData ? value : new CData(textOf(value) ?? refuse(value, name));
    case 'Key':
      return value instanceof Key ? value : (textOf(value) ?? refuse(value, name));
    case 'Binary':
      if (value instanceof Binary) return value;
      if (typeof value === 'number' || value instanceof Decimal) return numberBytes(value);
      return toBinary(counted(null, textOf(value) ?? refuse(value, name)), options);
    case 'Comparable':
    case 'SimpleType':
    case 'StringCoerceable':
      return FAMILIES[name]?.includes(kindOf(value)) ? value : refuse(value, name);
    default:
      return kindOf(value) === name ? value : refuse(value, name);
  }
}

/** `{prefix: "ns0", uri: "http://…"} as Namespace` */
function namespaceOf(value: Value): Namespace | undefined {
  if (!isObject(value)) return undefined;
  const [prefix, uri] = [member(value, 'prefix'), member(value, 'uri')].map((part) =>
    part === undefined || part === null ? undefined : textOf(part),
  );
  return uri === undefined ? undefined : new Namespace(prefix ?? '', uri);
}

/** The shortest big-endian two's complement of a whole number. */
function numberBytes(value: Numeric): Binary {
  const whole = toDecimal(roundTo(value, 0, 'down'));
  let rest = whole.coefficient * 10n ** BigInt(Math.max(0, -whole.scale));
  const bytes: number[] = [];
  do {
    bytes.unshift(Number(BigInt.asUintN(8, rest)));
    rest >>= 8n;
  } while ((rest !== 0n && rest !== -1n) || (rest === 0n) !== (bytes[0] as number) < 128);
  return new Binary(Uint8Array.from(bytes));
}

/** `"TXVsZQ==" as Binary {base: "64"}` */
function baseOf(base: Value | undefined): BufferEncoding | undefined {
  const text = optionText(base);
  return text === '64' ? 'base64' : text === '16' ? 'hex' : undefined;
}

function toBinary(text: string, options: CoerceOptions): Binary {
  const base = baseOf(options.base);
  return new Binary(base ? Buffer.from(text, base) : charsetOf(options.encoding).encode(text));
}

function toText(value: Value, options: CoerceOptions): string {
  const format = optionText(options.format);
  const locale = optionText(options.locale);
  if (typeof value === 'number' || value instanceof Decimal) {
    if (format !== undefined)
      return formatNumber(value, format, locale, roundingOf(optionText(options.roundMode)));
    return numberText(value);
  }
  if (value instanceof Temporal && format !== undefined) return formatTemporal(value, format, locale);
  if (value instanceof Binary) {
    const base = baseOf(options.base);
    return base ? value.text(base) : charsetOf(options.encoding).decode(value.bytes);
  }
  return textOf(value) ?? refuse(value, 'String');
}

function toBoolean(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  const text = textOf(value)?.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : refuse(value, 'Boolean');
}

function toArray(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Range) return value.items();
  if (!isObject(value)) return refuse(value, 'Array');
  const values = valuesOf(value);
  return keysOf(value).map((key, i) => objectFrom([key], [values[i] as Value]));
}

function toObject(value: Value): Value {
  if (isObject(value)) return value;
  if (!Array.isArray(value)) return refuse(value, 'Object');
  const builder = new ObjectBuilder();
  for (const item of value) {
    const object = bare(item);
    if (!isObject(object)) return refuse(value, 'Object');
    builder.addAll(object);
  }
  return builder.done();
}

export function keyOf(value: Value): KeyLike {
  const key = bare(value);
  if (typeof key === 'string' || key instanceof Key) return key;
  return textOf(key) ?? refuse(key, 'Key');
}
