import {
  bare,
  isObject,
  keysOf,
  member,
  nameOf,
  ObjectBuilder,
  valuesOf,
  type ObjectValue,
} from '../values/objects.js';
import { requireText } from '../values/text.js';
import { simpleType } from '../values/type-value.js';
import type { PlainObject, Value } from '../values/value.js';
import { fn, type LibraryModule } from './define.js';

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

const failed = (message: string): PlainObject => ({ success: false, error: { message } });

/** `type/subtype; name=value` in its parts (RFC 2045, 5.1). */
function fromText(text: string): PlainObject {
  const [essence = '', ...rest] = splitOutside(text);
  const slash = essence.indexOf('/');
  if (slash < 0) return failed(`Unable to find a sub type in \`${text}\`.`);
  const type = essence.slice(0, slash).trim();
  const subtype = essence.slice(slash + 1).trim();
  if (!TOKEN.test(type) || !TOKEN.test(subtype)) return failed(`Invalid MIME type \`${text}\`.`);
  const parameters = new ObjectBuilder();
  for (const part of rest) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    if (!TOKEN.test(name)) return failed(`Invalid parameter \`${part.trim()}\` in \`${text}\`.`);
    const value = part.slice(equals + 1).trim();
    const quoted = /^"([\s\S]*)"$/.exec(value)?.[1];
    parameters.add(name, quoted === undefined ? value : quoted.replace(/\\([\s\S])/g, '$1'));
  }
  return { success: true, result: { type, subtype, parameters: parameters.done() } };
}

/** At each `;` that is not in quotes. */
function splitOutside(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    if (quoted && text[i] === '\\') i++;
    else if (text[i] === '"') quoted = !quoted;
    else if (text[i] === ';' && !quoted) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)];
}

const part = (mime: ObjectValue, name: string) => {
  const found = bare(member(mime, name) ?? null);
  return found === null ? '*' : requireText(found);
};

function toText(mime: ObjectValue): string {
  const given: Value = bare(member(mime, 'parameters') ?? null);
  const parameters = isObject(given) ? given : {};
  const values = valuesOf(parameters);
  return keysOf(parameters).reduce<string>(
    (text, key, i) => {
      const value = requireText(values[i] as Value);
      const safe = TOKEN.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
      return `${text};${nameOf(key)}=${safe}`;
    },
    `${part(mime, 'type')}/${part(mime, 'subtype')}`,
  );
}

/** Does `base`, which may hold `*`, take `other`? */
function handles(base: ObjectValue, other: ObjectValue): boolean {
  return ['type', 'subtype'].every((name) => {
    const [wanted, found] = [part(base, name).toLowerCase(), part(other, name).toLowerCase()];
    if (wanted === '*' || wanted === found) return true;
    return name === 'subtype' && wanted.startsWith('*+') && found.endsWith(wanted.slice(1));
  });
}

export const mime: LibraryModule = {
  name: 'dw::module::Mime',
  types: { MimeType: simpleType('Object'), MimeTypeError: simpleType('Object') },
  functions: [
    fn(
      'fromString',
      'The parts of a mime type as {success, result} or {success, error}.',
      [
        [
          'dw::module::Mime::fromString("text/csv; header=present").result',
          '{"type": "text", "subtype": "csv", "parameters": {"header": "present"}}',
        ],
      ],
      { '(mimeType: String): Object': fromText },
    ),
    fn(
      'toString',
      'The text of a mime type.',
      [['dw::module::Mime::toString({"type": "text", subtype: "plain", parameters: {}})', '"text/plain"']],
      { '(mimeType: Object): String': toText },
    ),
    fn(
      'isHandledBy',
      'Does the first mime type, which may hold *, take the second?',
      [
        [
          'dw::module::Mime::isHandledBy({"type": "text", subtype: "*"}, {"type": "text", subtype: "csv"})',
          'true',
        ],
      ],
      { '(base: Object, other: Object): Boolean': handles },
    ),
  ],
};
