import { charsetOf, type Charset } from '../values/charset.js';
import type { Value } from '../values/value.js';

/** One option of a format: what it is called, what it takes and what it is for. */
export interface FormatOption {
  name: string;
  type: 'boolean' | 'number' | 'string';
  default?: boolean | number | string;
  /** Allowed texts of a string option. */
  values?: readonly string[];
  /** Texts of a string option that are no value of it are refused, with what to write. */
  check?: { holds: (text: string) => boolean; wanted: string };
  /** A text without characters is no value. */
  isNeeded?: boolean;
  /** A parameter of the mime type may say it: `text/csv; header=absent`. */
  isParameter?: boolean;
  for: 'reader' | 'writer' | 'both';
  sentence: string;
}

export type FormatOptions = Readonly<Record<string, boolean | number | string | undefined>>;

/**
 * A way to write values down. One file a format, listed in the registry; options are data, so that
 * parsing, refusal of unknown options and documentation come from the table.
 */
export interface Format {
  /** The canonical mime type. */
  mime: string;
  /** Short ids (`json`) and further mime types. */
  ids: readonly string[];
  options: readonly FormatOption[];
  /** @throws Fault of kind format that says where the text is wrong */
  read(source: string | Uint8Array, options: FormatOptions): Value;
  /** @throws Fault of kind format when the value cannot be written */
  write(value: Value, options: FormatOptions): string | Uint8Array;
}

/** The characters of a source, a byte order mark left out. */
export function sourceText(source: string | Uint8Array, charset: Charset = charsetOf('UTF-8')): string {
  const text = typeof source === 'string' ? source : charset.decode(source);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

export const sourceBytes = (source: string | Uint8Array): Buffer =>
  typeof source === 'string'
    ? Buffer.from(source, 'utf8')
    : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
