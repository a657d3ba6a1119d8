import { formatFault } from '../../errors/fault.js';
import {
  bare,
  isObject,
  keysOf,
  nameOf,
  ObjectBuilder,
  valuesOf,
  type ObjectValue,
} from '../../values/objects.js';
import { kindOf } from '../../values/kind.js';
import type { Value } from '../../values/value.js';
import { scalarText } from '../format-text.js';

export const DISPOSITION = 'Content-Disposition';
export const CONTENT_TYPE = 'Content-Type';

/** The value of a header whose name is compared without case. */
export function headerOf(headers: ObjectValue, name: string): Value {
  const values = valuesOf(headers);
  const index = keysOf(headers).findIndex((key) => nameOf(key).toLowerCase() === name.toLowerCase());
  return index < 0 ? null : bare(values[index] as Value);
}

/** `form-data; name="a"; filename="b"` as {name, filename, subtype}. */
export function readDisposition(text: string): ObjectValue {
  const [type = ''] = text.split(';', 1);
  const builder = new ObjectBuilder();
  const parameter = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;
  for (const [, name = '', quoted, plain = ''] of text.matchAll(parameter)) {
    const value =
      quoted === undefined
        ? plain.trim()
        : quoted.replace(/\\(["\\])/g, '$1').replace(/%(22|0D|0A)/gi, (all) => decodeURIComponent(all));
    if (name.endsWith('*')) builder.add(name.slice(0, -1), extended(value));
    else builder.add(name, value);
  }
  return builder.add('subtype', type.trim()).done();
}

/** `UTF-8''na%C3%AFve` (RFC 5987). */
function extended(value: string): string {
  const encoded = value.replace(/^[^']*'[^']*'/, '');
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** One header as a line; an object of parameters is a disposition. */
export function headerLine(name: string, given: Value): string {
  const value = bare(given);
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
    throw formatFault(`${JSON.stringify(name)} is no name of a header`);
  if (!isObject(value)) return `${name}: ${lineText(name, value)}`;
  const values = valuesOf(value);
  let type = 'form-data';
  let parameters = '';
  for (const [i, key] of keysOf(value).entries()) {
    const parameter = nameOf(key);
    const text = scalarText(values[i] as Value);
    if (text === undefined) continue;
    if (parameter === 'subtype') type = lineText(name, text);
    else if (!/^[\w*-]+$/.test(parameter))
      throw formatFault(`${JSON.stringify(parameter)} is no parameter of ${name}`);
    else parameters += `; ${parameter}="${quotedText(text)}"`;
  }
  return `${name}: ${type}${parameters}`;
}

/** Quotes and line breaks as forms write them (WHATWG HTML), a backslash as a quoted text does (RFC 2183). */
const quotedText = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function lineText(name: string, value: Value): string {
  const text = scalarText(value);
  if (text === undefined) throw formatFault(`The header ${name} takes a text, not ${kindOf(value)}`);
  if (/[\r\n\0]/.test(text)) throw formatFault(`The header ${name} cannot hold a line break`);
  return text;
}
