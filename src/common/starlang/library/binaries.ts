import { typeFault } from '../errors/fault.js';
import { Binary } from '../values/atoms.js';
import { charsetOf } from '../values/charset.js';
import { requireText } from '../values/text.js';
import type { Value } from '../values/value.js';
import { fn, nullable, type LibraryModule } from './define.js';

function fromHex(text: string): Binary {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(text))
    throw typeFault(`"${text.slice(0, 80)}" is no text of hexadecimal pairs`);
  return new Binary(Buffer.from(text, 'hex'));
}

export const binaries: LibraryModule = {
  name: 'dw::core::Binaries',
  functions: [
    nullable('toBase64', 'The bytes as Base64.', [['toBase64("Mule" as Binary)', '"TXVsZQ=="']], {
      '(content: Binary): String': (content: Binary) => content.text('base64'),
    }),
    nullable('fromBase64', 'The bytes of a Base64 text.', [['fromBase64("TXVsZQ==")', '"Mule"']], {
      '(base64String: String): Binary': (text: string) => new Binary(Buffer.from(text, 'base64')),
    }),
    nullable('toHex', 'The bytes as hexadecimal pairs.', [['toHex("Mule" as Binary)', '"4D756C65"']], {
      '(content: Binary): String': (content: Binary) => content.text('hex').toUpperCase(),
    }),
    nullable('fromHex', 'The bytes of hexadecimal pairs.', [['fromHex("4D756C65")', '"Mule"']], {
      '(hexString: String): Binary': fromHex,
    }),
    fn(
      'concatWith',
      'The bytes of one after those of the other.',
      [['("a" as Binary) concatWith ("b" as Binary)', '"ab"']],
      {
        '(source: Binary, with: Binary): Binary': (a: Binary, b: Binary) =>
          new Binary(Buffer.concat([a.bytes, b.bytes])),
        '(source: Binary, with: Null): Binary': (a: Binary) => a,
        '(source: Null, with: Binary): Binary': (_: null, b: Binary) => b,
      },
    ),
    nullable(
      'readLinesWith',
      'The lines of bytes in an encoding.',
      [['("a\\nb" as Binary) readLinesWith "UTF-8"', '["a", "b"]']],
      {
        '(content: Binary, charset: String): Array<String>': (content: Binary, charset: string) => {
          const lines = charsetOf(charset)
            .decode(content.bytes)
            .split(/\r\n|\n|\r/);
          return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
        },
      },
    ),
    nullable(
      'writeLinesWith',
      'The bytes of texts, a line each, in an encoding.',
      [['["a", "b"] writeLinesWith "UTF-8"', '"a\\nb\\n"']],
      {
        '(content: Array<String>, charset: String): Binary': (lines: Value[], charset: string) =>
          new Binary(charsetOf(charset).encode(lines.map((line) => `${requireText(line)}\n`).join(''))),
      },
    ),
  ],
};
