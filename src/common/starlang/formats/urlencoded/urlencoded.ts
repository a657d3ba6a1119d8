import { formatFault } from '../../errors/fault.js';
import { checkTextLength, step } from '../../runtime/machine.js';
import { kindOf } from '../../values/kind.js';
import { bare, isObject, keysOf, nameOf, ObjectBuilder, valuesOf } from '../../values/objects.js';
import { Range } from '../../values/range.js';
import { preview } from '../../values/text.js';
import type { Value } from '../../values/value.js';
import { sourceText, type Format } from '../format.js';
import { ENCODING, faultAt, scalarText } from '../format-text.js';

/** What a form sends (WHATWG URL, application/x-www-form-urlencoded). A key without "=" is null. */
export const urlencoded: Format = {
  mime: 'application/x-www-form-urlencoded',
  ids: ['urlencoded'],
  options: [ENCODING],
  read: (source) => read(sourceText(source).trim()),
  write,
};

function read(text: string): Value {
  const builder = new ObjectBuilder();
  let at = 0;
  for (const pair of text.split('&')) {
    step();
    if (pair !== '') {
      const equals = pair.indexOf('=');
      const key = decoded(text, equals < 0 ? pair : pair.slice(0, equals), at);
      builder.add(key, equals < 0 ? null : decoded(text, pair.slice(equals + 1), at + equals + 1));
    }
    at += pair.length + 1;
  }
  return builder.done();
}

function decoded(text: string, part: string, at: number): string {
  const wrong = /%(?![\da-fA-F]{2})/.exec(part);
  if (wrong)
    throw faultAt(
      'form',
      text,
      at + wrong.index,
      'a "%" without two hexadecimal digits',
      'write %25 for a percent sign',
    );
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw faultAt('form', text, at, 'bytes that are no UTF-8');
  }
}

/** Halves of surrogate pairs, which UTF-8 has no bytes for. */
const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** All but letters, digits and `*-._` are escaped, a blank is a plus. */
const encode = (text: string) =>
  encodeURIComponent(text.replace(LONE, '\uFFFD'))
    .replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

function write(given: Value): string {
  const value = bare(given);
  if (!isObject(value))
    throw formatFault(`A form needs an object of texts, not ${kindOf(value)} (${preview(value)})`);
  const parts: string[] = [];
  let length = 0;
  const put = (key: string, given: Value): void => {
    step();
    const item = bare(given);
    const list = item instanceof Range ? item.items() : item;
    if (Array.isArray(list)) {
      for (const one of list) put(key, one);
      return;
    }
    const text = scalarText(given);
    if (text === undefined && item !== null)
      throw formatFault(`The form field "${key}" takes a text but got ${kindOf(item)} (${preview(item)})`);
    const part = text === undefined ? encode(key) : `${encode(key)}=${encode(text)}`;
    checkTextLength((length += part.length + 1));
    parts.push(part);
  };
  const values = valuesOf(value);
  for (const [i, key] of keysOf(value).entries()) put(nameOf(key), values[i] as Value);
  return parts.join('&');
}
