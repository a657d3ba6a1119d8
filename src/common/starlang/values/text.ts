import { coercionFault } from '../errors/fault.js';
import { formatTemporal } from '../dates/format-temporal.js';
import { Period } from '../dates/period.js';
import { Temporal } from '../dates/temporal.js';
import { Zone } from '../dates/zone.js';
import { Decimal, numberText } from '../numbers/decimal.js';
import { Regex } from '../regex/regex.js';
import { cells, checkCollectionSize } from '../runtime/machine.js';
import { Binary, CData, Uri } from './atoms.js';
import { kindOf } from './kind.js';
import { bare, Key, Namespace } from './objects.js';
import { Range } from './range.js';
import { TypeValue } from './type-value.js';
import type { Value } from './value.js';

/** The characters of a text, where it is gone through one by one. */
export function charactersOf(text: string): string[] {
  checkCollectionSize(text.length);
  cells(text.length);
  return Array.from(text);
}

/** The text of a value that has one without saying a format, else undefined. */
export function textOf(given: Value): string | undefined {
  const value = bare(given);
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      if (value instanceof Decimal || value instanceof Period || value instanceof Key)
        return value.toString();
      if (value instanceof Temporal)
        return value.format
          ? formatTemporal(value, value.format.pattern, value.format.locale)
          : value.toString();
      if (value instanceof TypeValue) return typeText(value);
      if (value instanceof Zone) return value.id;
      if (value instanceof CData || value instanceof Uri) return value.text;
      if (value instanceof Binary) return value.text();
      if (value instanceof Regex) return value.source;
      if (value instanceof Namespace) return value.uri;
      if (value instanceof Range) return value.items().join(',');
      return undefined;
  }
}

/** An object type without a name is written as `Object`. */
const typeText = (type: TypeValue) => (type.shape.kind === 'object' ? 'Object' : type.toString());

export function requireText(value: Value): string {
  const text = textOf(value);
  if (text === undefined) throw coercionFault(`Cannot coerce ${kindOf(value)} (${preview(value)}) to String`);
  return text;
}

const WIDEST = 80;

/** A value for a message: shortened to 80 characters. */
export function preview(given: Value, width = WIDEST): string {
  const value = bare(given);
  let text: string;
  if (value === null) text = 'null';
  else if (typeof value === 'string') text = JSON.stringify(value.slice(0, width + 1));
  else if (Array.isArray(value))
    text = `[${value
      .slice(0, 20)
      .map((item) => preview(item, 30))
      .join(', ')}${value.length > 20 ? ', …' : ''}]`;
  else if (kindOf(value) === 'Object') text = `{${objectPreview(value as object)}}`;
  else text = textOf(value) ?? kindOf(value);
  return text.length > width ? `${text.slice(0, width)}…` : text;
}

function objectPreview(value: object): string {
  const keys = 'keys' in value && Array.isArray(value.keys) ? value.keys.map(String) : Object.keys(value);
  return keys.slice(0, 8).join(', ') + (keys.length > 8 ? ', …' : '');
}
