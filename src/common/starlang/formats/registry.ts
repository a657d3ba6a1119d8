import { formatFault } from '../errors/fault.js';
import { didYouMean } from '../errors/suggest.js';
import { bare, keysOf, nameOf, valuesOf, type ObjectValue } from '../values/objects.js';
import { textOf } from '../values/text.js';
import type { Value } from '../values/value.js';
import type { Format, FormatOption, FormatOptions } from './format.js';
import { binary } from './binary/binary.js';
import { csv } from './csv/csv.js';
import { dw } from './dw/dw.js';
import { json } from './json/json.js';
import { multipart } from './multipart/multipart.js';
import { ndjson } from './ndjson/ndjson.js';
import { properties } from './properties/properties.js';
import { text } from './text/text.js';
import { urlencoded } from './urlencoded/urlencoded.js';
import { xml } from './xml/xml.js';
import { yaml } from './yaml/yaml.js';

/** Every format. A new one is one file and one line here. */
const FORMATS: readonly Format[] = [
  json,
  xml,
  csv,
  yaml,
  ndjson,
  dw,
  text,
  urlencoded,
  multipart(readPart, writePart),
  properties,
  binary,
];

const byId: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) => [format.mime, ...format.ids].map((id) => [id, format] as const)),
);

/** The mime type without parameters, in lower case. */
const essence = (mime: string) => (mime.split(';')[0] as string).trim().toLowerCase();

export function findFormat(mime: string): Format | undefined {
  const id = essence(mime);
  const suffix = /\+(\w+)$/.exec(id)?.[1];
  return byId.get(id) ?? (suffix === undefined ? undefined : byId.get(suffix));
}

/** By mime type or short id. @throws Fault of kind format when it is unknown */
export function formatFor(mime: string): Format {
  const found = findFormat(mime);
  if (!found) throw formatFault(`The format "${mime}" is not known`, didYouMean(essence(mime), byId.keys()));
  return found;
}

/** Every format as data, for scripts and documents that ask what there is. */
export const allFormats = (): readonly Format[] => FORMATS;

function readPart(bytes: Uint8Array, mime: string): Value | undefined {
  const format = findFormat(mime);
  return format?.read(bytes, checkedOptions(format, 'reader', mimeOptions(format, mime)));
}

function writePart(value: Value, mime: string): string | Uint8Array {
  const format = formatFor(mime);
  return format.write(value, checkedOptions(format, 'writer', mimeOptions(format, mime)));
}

/**
 * What the parameters of a mime type say of the options: `; charset=latin1`, `; boundary=x`. They come from
 * the network too: what is no option or no value of one says nothing.
 */
export function mimeOptions(format: Format, mime: string): [string, Value][] {
  const found: [string, Value][] = [];
  for (const [, name = '', quoted, plain] of mime.matchAll(/;\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([^;\s]*))/g)) {
    const wanted = name.toLowerCase() === 'charset' ? 'encoding' : name.toLowerCase();
    const option = format.options.find((one) => one.name.toLowerCase() === wanted);
    const value = option?.isParameter && parameterOf(option, quoted ?? plain ?? '');
    if (option && value) found.push([option.name, value]);
  }
  return found;
}

/** `present` and `absent` are the words of RFC 4180. */
function parameterOf({ type, check }: FormatOption, text: string): string | undefined {
  if (check && !check.holds(text)) return undefined;
  if (type === 'number') return /^\d{1,9}$/.test(text) ? text : undefined;
  if (type === 'string') return text === '' ? undefined : text;
  if (text === 'present') return 'true';
  if (text === 'absent') return 'false';
  return text === 'true' || text === 'false' ? text : undefined;
}

/** The options an object gives, checked against the table of the format. */
export function optionsFrom(
  format: Format,
  side: 'reader' | 'writer',
  given: ObjectValue,
  mime = '',
): FormatOptions {
  const values = valuesOf(given);
  const own = keysOf(given).map((key, i): [string, Value] => [nameOf(key), values[i] as Value]);
  return checkedOptions(format, side, [...mimeOptions(format, mime), ...own]);
}

/** Options that tune the peer's engine and change no result: taken, so that its scripts run, and why they are idle. */
export const IDLE: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  bufferSize: 'a text is written in one piece',
  collectionPath: 'a text is read as a whole, so that every part of it can be reached',
  deferred: 'a result is whole when the script ends',
  indexedReader: 'a text is read as a whole',
  optimizeFor: 'there is one way of reading',
  streaming: 'a text is read as a whole, so that it can be gone through in any order',
});

/** Formats without a choice of character set take the option all the same. */
const isIdle = (name: string) => name in IDLE || name === 'encoding';

export function checkedOptions(
  format: Format,
  side: 'reader' | 'writer',
  given: Iterable<readonly [string, Value]>,
): FormatOptions {
  const options: Record<string, boolean | number | string | undefined> = {};
  for (const { name, default: fallback } of format.options)
    if (fallback !== undefined) options[name] = fallback;
  for (const [name, value] of given) {
    const option = format.options.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (option) {
      if (option.for !== 'both' && option.for !== side)
        throw formatFault(
          `"${option.name}" is an option of the ${option.for} of ${format.mime}, not of the ${side}`,
        );
      options[option.name] = optionValue(format, option, bare(value));
    } else if (!isIdle(name)) {
      const hint = didYouMean(
        name,
        format.options.filter((one) => one.for === 'both' || one.for === side).map((one) => one.name),
      );
      throw formatFault(`The ${side} of ${format.mime} has no option "${name}"`, hint);
    }
  }
  return options;
}

function optionValue(
  format: Format,
  option: FormatOption,
  value: Value,
): boolean | number | string | undefined {
  const text = textOf(value);
  if (value === null || text === undefined) return undefined;
  const refuse = (wanted: string) =>
    formatFault(`The option "${option.name}" of ${format.mime} takes ${wanted}, not "${text}"`);
  if (option.type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw refuse('true or false');
    return text === 'true';
  }
  if (option.type === 'number') {
    if (text === '' || Number.isNaN(Number(text))) throw refuse('a number');
    return Number(text);
  }
  if (option.isNeeded && text === '') throw refuse('at least one character');
  if (option.check && !option.check.holds(text)) throw refuse(option.check.wanted);
  if (option.values && !option.values.includes(text)) throw refuse(option.values.join(', '));
  return text;
}
