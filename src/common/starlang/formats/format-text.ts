import { formatFault, type Fault } from '../errors/fault.js';
import { excerptOf, placeOf } from '../errors/problem.js';
import { CHARSET_NAMES, charsetNamed, charsetOf, type Charset } from '../values/charset.js';
import { formattedText } from '../runtime/metadata.js';
import { isObject, bare } from '../values/objects.js';
import { Range } from '../values/range.js';
import { textOf } from '../values/text.js';
import type { Value } from '../values/value.js';
import type { FormatOption, FormatOptions } from './format.js';

/** Nesting no reader or writer goes beyond, so that neither they nor what follows runs out of stack. */
export const DEEPEST = 500;

/** A fault of a text that is read: what is wrong, where, and the line with a caret below the place. */
export function faultAt(format: string, text: string, offset: number, message: string, hint?: string): Fault {
  const { line, column } = placeOf(text, offset);
  const where = `The text is no ${format}: ${message} at line ${line}, column ${column}`;
  return formatFault(`${where}\n${excerptOf(text, offset)}`, hint);
}

/**
 * The text of a single value as a format without types writes it: a value with metadata
 * (`as Date {format: "dd/MM/yyyy"}`) in its format. Undefined for null, arrays, objects and functions.
 */
export function scalarText(given: Value): string | undefined {
  const value = bare(given);
  if (value === null || Array.isArray(value) || isObject(value) || value instanceof Range) return undefined;
  return formattedText(given) ?? textOf(value);
}

export const ENCODING: FormatOption = {
  name: 'encoding',
  type: 'string',
  default: 'UTF-8',
  isParameter: true,
  for: 'both',
  check: { holds: (text) => charsetNamed(text) !== undefined, wanted: CHARSET_NAMES },
  sentence: `Character set of the bytes: ${CHARSET_NAMES}.`,
};

/** The text in the `encoding` option: bytes when that is not UTF-8. */
export function encoded(text: string, options: FormatOptions): string | Uint8Array {
  const charset = decoding(options);
  return charset === charsetOf('UTF-8') ? text : charset.encode(text);
}

export const decoding = (options: FormatOptions): Charset => charsetOf(options.encoding ?? null);
