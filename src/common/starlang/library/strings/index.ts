import { typeFault } from '../../errors/fault.js';
import type { Numeric } from '../../numbers/decimal.js';
import { whole } from '../arguments.js';
import { fn, nullable, type LibraryModule } from '../define.js';
import { edges } from './edges.js';
import { parts } from './parts.js';
import { words } from './words.js';

function charCodeAt(text: string, position: Numeric): number {
  const at = whole(position, 'The position');
  const code = text.charCodeAt(at < 0 ? text.length + at : at);
  if (Number.isNaN(code))
    throw typeFault(`There is no character ${String(position)} in a text of ${text.length}`);
  return code;
}

const isKind = (pattern: RegExp) => (text: string) => pattern.test(text);

const kinds = [
  nullable(
    'isAlpha',
    'Are all characters letters?',
    [['isAlpha("ab1")', 'false']],
    { '(text: String): Boolean': isKind(/^\p{L}+$/u) },
    false,
  ),
  nullable(
    'isAlphanumeric',
    'Are all characters letters or digits?',
    [['isAlphanumeric("ab1")', 'true']],
    { '(text: String): Boolean': isKind(/^[\p{L}\p{N}]+$/u) },
    false,
  ),
  nullable(
    'isNumeric',
    'Are all characters digits?',
    [
      ['isNumeric("12")', 'true'],
      ['isNumeric("1.2")', 'false'],
    ],
    { '(text: String): Boolean': isKind(/^\p{Nd}+$/u) },
    false,
  ),
  nullable(
    'isLowerCase',
    'Are all characters lower-case letters?',
    [['isLowerCase("ab")', 'true']],
    { '(text: String): Boolean': isKind(/^\p{Ll}+$/u) },
    false,
  ),
  nullable(
    'isUpperCase',
    'Are all characters upper-case letters?',
    [['isUpperCase("aB")', 'false']],
    { '(text: String): Boolean': isKind(/^\p{Lu}+$/u) },
    false,
  ),
  nullable(
    'isWhitespace',
    'Are all characters blanks?',
    [['isWhitespace("  ")', 'true']],
    { '(text: String): Boolean': isKind(/^\s*$/u) },
    false,
  ),
];

export const strings: LibraryModule = {
  name: 'dw::core::Strings',
  functions: [
    ...words,
    ...parts,
    ...edges,
    ...kinds,
    nullable('charCode', 'The code of the first character.', [['charCode("A")', '65']], {
      '(text: String): Number': (text: string) => charCodeAt(text, 0),
    }),
    nullable(
      'charCodeAt',
      'The code of the character at a place, from the end when it is negative.',
      [
        ['charCodeAt("AB", 1)', '66'],
        ['charCodeAt("AB", -1)', '66'],
      ],
      {
        '(content: String, position: Number): Number': charCodeAt,
      },
    ),
    fn('fromCharCode', 'The character of a code.', [['fromCharCode(65)', '"A"']], {
      '(charCode: Number): String': (code: Numeric) =>
        String.fromCharCode(whole(code, 'The code of a character')),
      '(charCode: Null): Null': () => null,
    }),
  ],
};
