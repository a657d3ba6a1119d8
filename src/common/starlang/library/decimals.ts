import { typeFault } from '../errors/fault.js';
import {
  add,
  isInteger,
  isNegative,
  isZero,
  multiply,
  roundTo,
  type Rounding,
} from '../numbers/arithmetic.js';
import { reduce, toDecimal, type Numeric } from '../numbers/decimal.js';
import { roundingOf } from '../numbers/format-number.js';
import { steps } from '../runtime/machine.js';
import { bare, member, type ObjectValue } from '../values/objects.js';
import { requireText } from '../values/text.js';
import type { Value } from '../values/value.js';
import { whole } from './arguments.js';
import { fn, type LibraryFunction } from './define.js';

/** How a result is rounded. A precision of 0 keeps every digit. */
interface Context {
  precision: number;
  /** Undefined: a result that needs rounding is an error. */
  mode: Rounding | undefined;
}

/** IEEE 754 decimal128, as the peer's default. */
export const DECIMAL_128 = { precision: 34, roundingMode: 'HALF_EVEN' };
const MOST_PRECISION = 10_000;

function contextOf(given: ObjectValue | undefined): Context {
  const of = (name: 'precision' | 'roundingMode'): Value => bare((given && member(given, name)) ?? null);
  const precision = whole((of('precision') ?? DECIMAL_128.precision) as Numeric, 'The precision');
  if (precision < 0 || precision > MOST_PRECISION)
    throw typeFault(`The precision must be between 0 and ${MOST_PRECISION}, not ${precision}`);
  const mode = requireText(of('roundingMode') ?? DECIMAL_128.roundingMode);
  return { precision, mode: mode.toUpperCase() === 'UNNECESSARY' ? undefined : roundingOf(mode) };
}

const digitCount = (value: bigint) => (value < 0n ? -value : value).toString().length;

/** To so many significant digits. */
function rounded(value: Numeric, { precision, mode }: Context): Numeric {
  if (precision === 0 || isZero(value)) return value;
  const { coefficient, scale } = toDecimal(value);
  const out = roundTo(value, scale - (digitCount(coefficient) - precision), mode ?? 'down');
  // An integer that is a double passes roundTo as it is when it has decimals to spare.
  if (mode === undefined && !isZero(add(out, multiply(value, -1))))
    throw typeFault('The result needs rounding and the rounding mode is UNNECESSARY');
  return out;
}

/** Digits beyond those that are kept; a last 1 stands for all that follows, so that every mode is right. */
const GUARD = 3;
const sticky = (quotient: bigint, negative: boolean) => quotient * 10n + (negative ? -1n : 1n);

function divide(dividend: Numeric, divisor: Numeric, context: Context): Numeric {
  if (isZero(divisor)) throw typeFault('Division by zero');
  const [a, b] = [toDecimal(dividend), toDecimal(divisor)];
  // A fraction that ends does so after at most as many digits as its denominator has bits.
  const room = context.precision === 0 ? b.coefficient.toString(2).length : context.precision + GUARD;
  const extra = Math.max(0, room + digitCount(b.coefficient) - digitCount(a.coefficient));
  steps(extra);
  const scaled = a.coefficient * 10n ** BigInt(extra);
  const quotient = scaled / b.coefficient;
  const scale = a.scale - b.scale + extra;
  if (scaled % b.coefficient === 0n) return rounded(numberOf(quotient, scale), context);
  if (context.precision === 0)
    throw typeFault('The quotient has no end: give a precision, such as {precision: 34}');
  return rounded(
    numberOf(sticky(quotient, isNegative(dividend) !== isNegative(divisor)), scale + 1),
    context,
  );
}

const numberOf = (coefficient: bigint, scale: number): Numeric =>
  scale < 0 ? reduce(coefficient * 10n ** BigInt(-scale), 0) : reduce(coefficient, scale);

function squareRoot(value: Numeric, context: Context): Numeric {
  if (isNegative(value)) throw typeFault('A negative number has no square root');
  if (isZero(value)) return 0;
  const { coefficient, scale } = toDecimal(value);
  const wanted = 2 * ((context.precision || DECIMAL_128.precision) + GUARD);
  let extra = Math.max(0, wanted - digitCount(coefficient));
  if ((scale + extra) % 2 !== 0) extra++;
  steps(extra);
  const scaled = coefficient * 10n ** BigInt(extra);
  const root = integerRoot(scaled);
  const half = (scale + extra) / 2;
  if (root * root === scaled) return rounded(numberOf(root, half), context);
  if (context.precision === 0)
    throw typeFault('The square root has no end: give a precision, such as {precision: 34}');
  return rounded(numberOf(sticky(root, false), half + 1), context);
}

/** Newton's method from above. */
function integerRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

const MOST_EXPONENT = 99_999_999;

/** Squares and multiplies, each product with enough spare digits for the last one to be right. */
function power(base: Numeric, exponent: Numeric, context: Context): Numeric {
  if (!isInteger(exponent) || Math.abs(Number(exponent)) > MOST_EXPONENT)
    throw typeFault(`The exponent must be a whole number up to ${MOST_EXPONENT}, not ${String(exponent)}`);
  const n = Number(exponent);
  const spare = context.precision === 0 ? 0 : context.precision + String(Math.abs(n)).length + GUARD;
  const working: Context = { precision: spare, mode: 'halfEven' };
  let result: Numeric = 1;
  for (const bit of Math.abs(n).toString(2)) {
    result = rounded(multiply(result, result), working);
    if (bit === '1') result = rounded(multiply(result, base), working);
  }
  return n < 0 ? divide(1, result, context) : rounded(result, context);
}

type Operation = (a: Numeric, b: Numeric, context: Context) => Numeric;

const two = (names: string, body: Operation) => ({
  [`(${names}, ctx: Object = {}): Number`]: (a: Numeric, b: Numeric, context?: ObjectValue) =>
    body(a, b, contextOf(context)),
});
const one = (body: (n: Numeric, context: Context) => Numeric) => ({
  '(n: Number, ctx: Object = {}): Number': (n: Numeric, context?: ObjectValue) => body(n, contextOf(context)),
});

const WITH = 'rounded to a precision by a rounding mode (34 digits, half to even, without them)';

export const decimals: readonly LibraryFunction[] = [
  fn(
    'decimalAdd',
    `The sum, ${WITH}.`,
    [['decimalAdd(1.25, 1.1, {precision: 2, roundingMode: "UP"})', '2.4']],
    two('lhs: Number, rhs: Number', (a, b, context) => rounded(add(a, b), context)),
  ),
  fn(
    'decimalSubtract',
    `The difference, ${WITH}.`,
    [['decimalSubtract(10, 0.05, {precision: 2, roundingMode: "DOWN"})', '9.9']],
    two('lhs: Number, rhs: Number', (a, b, context) => rounded(add(a, multiply(b, -1)), context)),
  ),
  fn(
    'decimalMultiply',
    `The product, ${WITH}.`,
    [['decimalMultiply(1.15, 1.15, {precision: 3})', '1.32']],
    two('lhs: Number, rhs: Number', (a, b, context) => rounded(multiply(a, b), context)),
  ),
  fn(
    'decimalDivide',
    `The quotient, ${WITH}.`,
    [
      ['decimalDivide(2, 3, {precision: 4, roundingMode: "HALF_UP"})', '0.6667'],
      ['decimalDivide(1, 8, {precision: 0})', '0.125'],
    ],
    two('dividend: Number, divisor: Number', divide),
  ),
  fn(
    'decimalPow',
    `A whole power, ${WITH}.`,
    [['decimalPow(1.1, 2, {precision: 2})', '1.2']],
    two('base: Number, exponent: Number', power),
  ),
  fn(
    'decimalRound',
    `The number itself, ${WITH}.`,
    [['decimalRound(1234.5, {precision: 2, roundingMode: "CEILING"})', '1300']],
    one(rounded),
  ),
  fn(
    'decimalSqrt',
    `The square root, ${WITH}.`,
    [['decimalSqrt(2, {precision: 5})', '1.4142']],
    one(squareRoot),
  ),
];
