import { formatFault } from '../../errors/fault.js';
import { checkTextLength, step } from '../../runtime/machine.js';
import { kindOf } from '../../values/kind.js';
import { bare, isObject, keysOf, nameOf, ObjectBuilder, valuesOf } from '../../values/objects.js';
import { preview } from '../../values/text.js';
import type { Value } from '../../values/value.js';
import { sourceText, type Format } from '../format.js';
import { decoding, encoded, ENCODING, faultAt, scalarText } from '../format-text.js';

/** Java properties (java.util.Properties): `key=value` lines, a flat object of texts to the script. */
export const properties: Format = {
  mime: 'text/x-java-properties',
  ids: ['properties'],
  options: [ENCODING],
  read: (source, options) => read(sourceText(source, decoding(options))),
  write: (value, options) => encoded(write(value), options),
};

/** Key up to the first `=`, `:` or blank that is not escaped, then the rest of the line. */
const LINE = /^((?:[^\\=:\s]|\\[\s\S])*)[ \t\f]*(?:[=:][ \t\f]*)?([\s\S]*)$/;
const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' };

function read(text: string): Value {
  const builder = new ObjectBuilder();
  const lines = /[ \t\f]*((?:[^\\\r\n]|\\(?:\r\n|[\s\S]))*)(?:\r\n|\r|\n|\\?$)/g;
  for (let from = 0; from < text.length;) {
    step();
    lines.lastIndex = from;
    const found = lines.exec(text);
    if (!found) break;
    const line = found[1] as string;
    const at = from;
    from = Math.max(lines.lastIndex, from + 1);
    // A comment ends with its line, backslash or not.
    if (/^[#!]/.test(line)) {
      const end = /\r\n|\r|\n/g;
      end.lastIndex = at;
      from = end.test(text) ? end.lastIndex : text.length;
      continue;
    }
    if (line === '') continue;
    const [, key = '', value = ''] = LINE.exec(joined(line)) ?? [];
    builder.add(unescaped(key, text, at), unescaped(value, text, at));
  }
  return builder.done();
}

/** A line break after a backslash and the blanks after it are not there. */
const joined = (line: string) =>
  line.replace(/\\(?:(\r\n|\r|\n)[ \t\f]*|([\s\S]))/g, (_, end: string | undefined, other: string) =>
    end === undefined ? `\\${other}` : '',
  );

const unescaped = (part: string, text: string, at: number) =>
  part.replace(/\\(?:u([\da-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, other: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (other === 'u') throw faultAt('properties file', text, at, 'a "\\u" without four hexadecimal digits');
    return NAMED[other] ?? other;
  });

function escaped(text: string, key: boolean): string {
  return text.replace(/[\\\n\r\t\f=:#! ]|[^\u0020-\u007E]/g, (c, at: number) => {
    const named = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\f': '\\f', '\\': '\\\\' }[c];
    if (named !== undefined) return named;
    if (/[=:#! ]/.test(c)) return key || (c === ' ' && at === 0) ? `\\${c}` : c;
    return `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

function write(given: Value): string {
  const value = bare(given);
  if (!isObject(value))
    throw formatFault(`Properties need an object of texts, not ${kindOf(value)} (${preview(value)})`);
  const values = valuesOf(value);
  let length = 0;
  const lines = keysOf(value).map((key, i) => {
    step();
    const item = bare(values[i] as Value);
    const text = item === null ? '' : scalarText(values[i] as Value);
    if (text === undefined)
      throw formatFault(
        `The property "${nameOf(key)}" takes a text but got ${kindOf(item)} (${preview(item)})`,
      );
    const line = `${escaped(nameOf(key), true)}=${escaped(text, false)}\n`;
    checkTextLength((length += line.length));
    return line;
  });
  return lines.join('');
}
