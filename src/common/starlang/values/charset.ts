import { coercionFault } from '../errors/fault.js';
import { optionText } from './coerce-options.js';
import type { Value } from './value.js';

/** How a text becomes bytes and back. */
export interface Charset {
  encode(text: string): Buffer;
  decode(bytes: Uint8Array): string;
}

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function codeBytes(character: string): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(character.codePointAt(0) as number);
  return bytes;
}

const characterOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD');

const UTF_8: Charset = {
  encode: (text) => Buffer.from(text, 'utf8'),
  decode: (bytes) => bufferOf(bytes).toString('utf8'),
};
const UTF_16LE: Charset = {
  encode: (text) => Buffer.from(text, 'utf16le'),
  decode: (bytes) => bufferOf(bytes).toString('utf16le'),
};
const UTF_32BE: Charset = {
  encode: (text) => Buffer.concat(Array.from(text, codeBytes)),
  decode: (bytes) => {
    const given = bufferOf(bytes);
    let text = '';
    for (let at = 0; at + 4 <= given.length; at += 4) text += characterOf(given.readUInt32BE(at));
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  },
};
const UTF_16BE: Charset = {
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
  decode: (bytes) =>
    Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le'),
};
/** Big-endian with a byte order mark, which says when reading what it is (RFC 2781). */
const UTF_16: Charset = {
  encode: (text) => UTF_16BE.encode(`\uFEFF${text}`),
  decode: (bytes) => {
    const text = (bytes[0] === 0xff && bytes[1] === 0xfe ? UTF_16LE : UTF_16BE).decode(bytes);
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  },
};

/**
 * One byte a character: ISO-8859-1 up to `last`, but for the `others`, which are by their byte. A
 * character the set lacks is written as `?`.
 */
function singleByte(last: number, others: Readonly<Record<number, string>> = {}): Charset {
  const bytes = new Map(Object.entries(others).map(([byte, character]) => [character, Number(byte)]));
  const byteOf = (character: string): number => {
    const code = character.codePointAt(0) as number;
    return bytes.get(character) ?? (code <= last && !(code in others) ? code : 63);
  };
  return {
    encode: (text) => Buffer.from(Array.from(text, byteOf)),
    decode: (given) => {
      const text = bufferOf(given).toString('latin1');
      // oxlint-disable-next-line no-control-regex -- everything beyond ASCII
      return text.replace(/[^\u0000-\u007F]/g, (character) => {
        const code = character.charCodeAt(0);
        return others[code] ?? (code <= last ? character : '\uFFFD');
      });
    },
  };
}

/** `characters` from the byte `first` on. */
const from = (first: number, characters: string): Record<number, string> =>
  Object.fromEntries(Array.from(characters, (character, i) => [first + i, character]));

const ASCII = singleByte(0x7f);
const LATIN_1 = singleByte(0xff);
const LATIN_9 = singleByte(0xff, {
  0xa4: '€',
  0xa6: 'Š',
  0xa8: 'š',
  0xb4: 'Ž',
  0xb8: 'ž',
  0xbc: 'Œ',
  0xbd: 'œ',
  0xbe: 'Ÿ',
});
const WINDOWS_1252 = singleByte(
  0xff,
  from(0x80, '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'),
);

const CHARSETS: ReadonlyMap<string, Charset> = new Map([
  ['utf-8', UTF_8],
  ['utf8', UTF_8],
  ['utf-16', UTF_16],
  ['utf16', UTF_16],
  ['utf-16le', UTF_16LE],
  ['utf-16be', UTF_16BE],
  ['utf-32', UTF_32BE],
  ['utf-32be', UTF_32BE],
  ['iso-8859-1', LATIN_1],
  ['iso8859-1', LATIN_1],
  ['latin1', LATIN_1],
  ['iso-8859-15', LATIN_9],
  ['windows-1252', WINDOWS_1252],
  ['cp1252', WINDOWS_1252],
  ['us-ascii', ASCII],
  ['ascii', ASCII],
]);

/** The names a script should use. */
export const CHARSET_NAMES =
  'UTF-8, UTF-16, UTF-16LE, UTF-16BE, UTF-32, ISO-8859-1, ISO-8859-15, windows-1252, US-ASCII';

/** Undefined when the name is not known. Case and `_` do not matter. */
export function charsetNamed(name: string): Charset | undefined {
  return CHARSETS.get(name.toLowerCase().replaceAll('_', '-'));
}

/** The character set of an option or argument, UTF-8 without one. @throws Fault of kind coercion */
export function charsetOf(name: Value | undefined): Charset {
  const text = optionText(name) ?? 'UTF-8';
  const found = charsetNamed(text);
  if (!found) throw coercionFault(`The encoding "${text}" is not known`, `use one of ${CHARSET_NAMES}`);
  return found;
}
