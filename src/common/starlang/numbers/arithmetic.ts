import { typeFault, budgetFault } from '../errors/fault.js';
import {
  addDecimals,
  compareDecimals,
  Decimal,
  divideDecimals,
  MOST_DIGITS,
  multiplyDecimals,
  reduce,
  remainderDecimals,
  toDecimal,
  type Numeric,
} from './decimal.js';

/** Doubles with up to six decimals are handled as whole millionths, which is exact below this bound. */
const MICRO = 1e6;
const EXACT = 1e15;

/** Whole millionths of a double, or NaN when it has more decimals or is too large. */
function micros(value: number): number {
  const scaled = Math.round(value * MICRO);
  return scaled / MICRO === value && scaled < EXACT && scaled > -EXACT ? scaled : Number.NaN;
}

export function add(a: Numeric, b: Numeric): Numeric {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(sum)) return sum;
    const scaled = micros(a) + micros(b);
    if (scaled < EXACT && scaled > -EXACT) return scaled / MICRO;
  }
  return addDecimals(toDecimal(a), toDecimal(b));
}

/**
 * Adds up the items from the first on, as far as they are doubles of up to six decimals and the sum stays small:
 * in whole millionths, which is exact. @returns the sum and how many items are in it
 */
export function sumOfDoubles(items: readonly unknown[]): [sum: number, count: number] {
  let scaled = 0;
  let count = 0;
  for (; count < items.length; count++) {
    const item = items[count];
    if (typeof item !== 'number') break;
    const next = scaled + micros(item);
    if (!(next < EXACT && next > -EXACT)) break;
    scaled = next;
  }
  return [scaled / MICRO, count];
}

export function negate(a: Numeric): Numeric {
  return typeof a === 'number' ? (a === 0 ? 0 : -a) : new Decimal(-a.coefficient, a.scale);
}

export function subtract(a: Numeric, b: Numeric): Numeric {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(difference))
      return difference;
    const scaled = micros(a) - micros(b);
    if (scaled < EXACT && scaled > -EXACT) return scaled / MICRO;
  }
  return add(a, negate(b));
}

export function multiply(a: Numeric, b: Numeric): Numeric {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isInteger(a) && Number.isInteger(b) && Number.isSafeInteger(product))
      return product === 0 ? 0 : product;
    const scaled = Number.isInteger(a) ? a * micros(b) : Number.isInteger(b) ? micros(a) * b : Number.NaN;
    if (scaled < EXACT && scaled > -EXACT) return scaled / MICRO;
    const square = micros(a) * micros(b);
    if (square < EXACT && square > -EXACT) return square / (MICRO * MICRO);
  }
  const [x, y] = [toDecimal(a), toDecimal(b)];
  if (x.coefficient.toString().length + y.coefficient.toString().length > MOST_DIGITS)
    throw budgetFault(`A number has more than ${MOST_DIGITS} digits`);
  return multiplyDecimals(x, y);
}

export function divide(a: Numeric, b: Numeric): Numeric {
  if (isZero(b)) throw typeFault('Division by zero');
  if (typeof a === 'number' && typeof b === 'number') {
    const quotient = a / b;
    const [n, d] = [micros(quotient), micros(b)];
    const back = n * d;
    if (back < EXACT && back > -EXACT && back === micros(a) * MICRO) return quotient;
  }
  return divideDecimals(toDecimal(a), toDecimal(b));
}

export function remainder(a: Numeric, b: Numeric): Numeric {
  if (isZero(b)) throw typeFault('Division by zero');
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
    const rest = Number(a) % Number(b);
    return rest === 0 ? 0 : rest;
  }
  return remainderDecimals(toDecimal(a), toDecimal(b));
}

/** The result always has the sign of the divisor, as the `mod` of the language. */
export function modulo(a: Numeric, b: Numeric): Numeric {
  const rest = remainder(a, b);
  return isNegative(rest) !== isNegative(b) && !isZero(rest) ? add(rest, b) : rest;
}

export const isZero = (a: Numeric) => a === 0;
export const isNegative = (a: Numeric) => (typeof a === 'number' ? a < 0 : a.coefficient < 0n);

export function compareNumbers(a: Numeric, b: Numeric): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return compareDecimals(toDecimal(a), toDecimal(b));
}

export function isInteger(a: Numeric): boolean {
  return typeof a === 'number' ? Number.isInteger(a) : a.scale <= 0;
}

export type Rounding = 'floor' | 'ceil' | 'halfUp' | 'halfEven' | 'up' | 'down' | 'halfDown';

/** Rounds to `digits` decimals. */
export function roundTo(a: Numeric, digits: number, mode: Rounding): Numeric {
  if (typeof a === 'number' && Number.isInteger(a) && digits >= 0) return a;
  const { coefficient, scale } = toDecimal(a);
  const drop = scale - digits;
  if (drop <= 0) return a;
  const unit = 10n ** BigInt(drop);
  let quotient = coefficient / unit;
  const rest = coefficient % unit;
  if (rest !== 0n) {
    const sign = coefficient < 0n ? -1n : 1n;
    const twice = rest * sign * 2n;
    const odd = quotient % 2n !== 0n;
    const away =
      mode === 'up' ||
      (mode === 'floor' && sign < 0n) ||
      (mode === 'ceil' && sign > 0n) ||
      (mode === 'halfUp' && twice >= unit) ||
      (mode === 'halfDown' && twice > unit) ||
      (mode === 'halfEven' && (twice > unit || (twice === unit && odd)));
    if (away) quotient += sign;
  }
  return reduce(quotient, digits);
}

/** Halves go towards positive infinity, as the peer's `round`. */
export function round(a: Numeric): Numeric {
  return roundTo(add(a, 0.5), 0, 'floor');
}

export function power(base: Numeric, exponent: Numeric): Numeric {
  const n = Number(exponent);
  if (!isInteger(exponent) || Math.abs(n) > 100_000) return fromDouble(Number(base) ** n);
  if (n < 0) return divide(1, power(base, -n));
  const { coefficient, scale } = toDecimal(base);
  if (coefficient.toString().length * n > MOST_DIGITS)
    throw budgetFault(`A number has more than ${MOST_DIGITS} digits`);
  return reduce(coefficient ** BigInt(n), scale * n);
}

/** A double of a library function that is no exact arithmetic. */
export function fromDouble(value: number): Numeric {
  if (!Number.isFinite(value)) throw typeFault(`The result ${value} is no number of the language`);
  return value === 0 ? 0 : value;
}
