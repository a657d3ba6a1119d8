import { typeFault } from '../errors/fault.js';
import { roundTo } from '../numbers/arithmetic.js';
import { reduce, toDecimal, type Numeric } from '../numbers/decimal.js';
import { whole } from './arguments.js';
import { nullable, type LibraryModule } from './define.js';

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

function radixOf(radix: Numeric): number {
  const base = whole(radix, 'A radix');
  if (base < 2 || base > 36) throw typeFault(`A radix is from 2 to 36, not ${base}`);
  return base;
}

function fromRadix(text: string, radix: Numeric): Numeric {
  const base = BigInt(radixOf(radix));
  const negative = text.startsWith('-');
  let value = 0n;
  for (const c of (negative ? text.slice(1) : text).toLowerCase()) {
    const digit = DIGITS.indexOf(c);
    if (digit < 0 || BigInt(digit) >= base) throw typeFault(`"${text}" is no number of radix ${base}`);
    value = value * base + BigInt(digit);
  }
  return reduce(negative ? -value : value, 0);
}

function toRadix(number: Numeric, radix: Numeric): string {
  const { coefficient, scale } = toDecimal(roundTo(number, 0, 'down'));
  return (coefficient * 10n ** BigInt(Math.max(0, -scale))).toString(radixOf(radix));
}

export const numbers: LibraryModule = {
  name: 'dw::core::Numbers',
  functions: [
    nullable('fromBinary', 'The number a text of zeros and ones stands for.', [['fromBinary("-10")', '-2']], {
      '(binaryText: String): Number': (text: string) => fromRadix(text, 2),
    }),
    nullable('fromHex', 'The number a hexadecimal text stands for.', [['fromHex("ff")', '255']], {
      '(hexText: String): Number': (text: string) => fromRadix(text, 16),
    }),
    nullable(
      'fromRadixNumber',
      'The number a text stands for in a radix.',
      [['fromRadixNumber("10", 2)', '2']],
      { '(numberStr: String, radix: Number): Number': fromRadix },
    ),
    nullable('toBinary', 'The number as zeros and ones.', [['toBinary(5)', '"101"']], {
      '(number: Number): String': (number: Numeric) => toRadix(number, 2),
    }),
    nullable('toHex', 'The number in hexadecimal.', [['toHex(255)', '"ff"']], {
      '(number: Number): String': (number: Numeric) => toRadix(number, 16),
    }),
    nullable('toRadixNumber', 'The number in a radix.', [['toRadixNumber(10, 2)', '"1010"']], {
      '(number: Number, radix: Number): String': toRadix,
    }),
  ],
};
