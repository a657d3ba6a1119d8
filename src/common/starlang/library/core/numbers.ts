import { numberItem, whole } from '../arguments.js';
import { fn } from '../define.js';
import {
  add,
  compareNumbers,
  divide,
  fromDouble,
  isInteger,
  modulo,
  negate,
  power,
  round,
  roundTo,
  remainder,
  sumOfDoubles,
} from '../../numbers/arithmetic.js';
import type { Numeric } from '../../numbers/decimal.js';
import { typeFault } from '../../errors/fault.js';
import { machine, steps } from '../../runtime/machine.js';
import type { Value } from '../../values/value.js';

function total(items: readonly Value[], where: string): Numeric {
  steps(items.length);
  const [start, count] = sumOfDoubles(items);
  let sum: Numeric = start;
  for (let i = count; i < items.length; i++) sum = add(sum, numberItem(items[i] as Value, where));
  return sum;
}

const random = () => (machine.env.random ?? Math.random)();

export const numbers = [
  fn('abs', 'The number without its sign.', [['abs(-2.5)', '2.5']], {
    '(number: Number): Number': (n: Numeric) => (compareNumbers(n, 0) < 0 ? negate(n) : n),
  }),
  fn('ceil', 'The smallest whole number not below.', [['ceil(1.2)', '2']], {
    '(number: Number): Number': (n: Numeric) => roundTo(n, 0, 'ceil'),
  }),
  fn('floor', 'The largest whole number not above.', [['floor(1.8)', '1']], {
    '(number: Number): Number': (n: Numeric) => roundTo(n, 0, 'floor'),
  }),
  fn(
    'round',
    'The nearest whole number, halves up.',
    [
      ['round(1.5)', '2'],
      ['round(4.49)', '4'],
    ],
    {
      '(number: Number): Number': round,
    },
  ),
  fn('sqrt', 'The square root.', [['sqrt(4)', '2']], {
    '(number: Number): Number': (n: Numeric) => {
      if (compareNumbers(n, 0) < 0) throw typeFault(`A negative number (${String(n)}) has no square root`);
      return fromDouble(Math.sqrt(Number(n)));
    },
  }),
  fn('pow', 'The base raised to the power.', [['2 pow 10', '1024']], {
    '(base: Number, power: Number): Number': power,
  }),
  fn('mod', 'The remainder of a division.', [['7 mod 3', '1']], {
    '(dividend: Number, divisor: Number): Number': (a: Numeric, b: Numeric) =>
      compareNumbers(b, 0) > 0 ? modulo(a, b) : remainder(a, b),
  }),
  fn('isEven', 'Can the whole number be halved?', [['isEven(2)', 'true']], {
    '(number: Number): Boolean': (n: Numeric) => remainder(n, 2) === 0,
  }),
  fn('isOdd', 'Can the whole number not be halved?', [['isOdd(2)', 'false']], {
    '(number: Number): Boolean': (n: Numeric) => remainder(n, 2) !== 0,
  }),
  fn('isInteger', 'Is the number whole?', [['isInteger(1.5)', 'false']], {
    '(number: Number): Boolean': isInteger,
  }),
  fn('isDecimal', 'Has the number decimals?', [['isDecimal(1.5)', 'true']], {
    '(number: Number): Boolean': (n: Numeric) => !isInteger(n),
  }),
  fn('sum', 'The sum of the numbers, 0 of none.', [['sum([0.1, 0.2])', '0.3']], {
    '(values: Array<Number>): Number': (items: Value[]) => total(items, 'sum'),
  }),
  fn('avg', 'The mean of the numbers.', [['avg([1, 2])', '1.5']], {
    '(values: Array<Number>): Number': (items: Value[]) => {
      if (items.length === 0) throw typeFault('avg needs at least one number');
      return divide(total(items, 'avg'), items.length);
    },
  }),
  fn('random', 'A random number from 0 up to but not 1.', [['floor(random())', '0']], {
    '(): Number': random,
  }),
  fn('randomInt', 'A random whole number from 0 up to but not the bound.', [['randomInt(1)', '0']], {
    '(upperBound: Number): Number': (bound: Numeric) =>
      Math.floor(random() * whole(bound, 'The bound of randomInt')),
  }),
];
