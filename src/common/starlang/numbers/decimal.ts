import { charge } from '../runtime/machine.js';
import { Box } from '../values/box.js';

/** Significant digits of a division, as IEEE decimal128. */
const PRECISION = 34;
const ZERO = 0n;
const TEN = 10n;
/** Beyond this many digits a power or product is refused by callers. */
export const MOST_DIGITS = 20_000;

/**
 * A decimal that no double stands for: `coefficient × 10^-scale`. A double stands for the decimal its
 * shortest text spells, so 0.1 is exactly one tenth and only numbers that need more digits come here.
 */
export class Decimal extends Box {
  readonly typeName = 'Number';

  constructor(
    readonly coefficient: bigint,
    readonly scale: number,
  ) {
    super();
  }

  override toString(): string {
    return plainText(this.coefficient, this.scale);
  }

  /** The nearest double. */
  override valueOf(): number {
    return Number(`${this.coefficient}e${-this.scale}`);
  }
}

export type Numeric = number | Decimal;

export function plainText(coefficient: bigint, scale: number): string {
  const negative = coefficient < ZERO;
  let digits = (negative ? -coefficient : coefficient).toString();
  if (scale < 0) digits += '0'.repeat(-scale);
  else if (scale > 0) {
    if (digits.length <= scale) digits = digits.padStart(scale + 1, '0');
    digits = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  }
  return negative ? `-${digits}` : digits;
}

export function toDecimal(value: Numeric): Decimal {
  return typeof value === 'number' ? decimalOf(String(value)) : value;
}

/** Of a decimal numeral, exponent allowed. */
function decimalOf(text: string): Decimal {
  const e = text.search(/e/i);
  const mantissa = e < 0 ? text : text.slice(0, e);
  const exponent = e < 0 ? 0 : Number(text.slice(e + 1));
  const dot = mantissa.indexOf('.');
  const digits = dot < 0 ? mantissa : mantissa.slice(0, dot) + mantissa.slice(dot + 1);
  const scale = (dot < 0 ? 0 : mantissa.length - dot - 1) - exponent;
  return new Decimal(BigInt(digits), scale);
}

/** The double that spells this decimal when there is one, else the decimal without trailing zeros. */
export function reduce(coefficient: bigint, scale: number): Numeric {
  while (scale > 0 && coefficient % TEN === ZERO) {
    coefficient /= TEN;
    scale--;
  }
  if (coefficient === ZERO) return 0;
  const digits = String(coefficient);
  charge(digits.length);
  const double = Number(`${digits}e${-scale}`);
  if (Number.isFinite(double) && double !== 0) {
    if (scale <= 0 && Number.isSafeInteger(double)) return double;
    const back = decimalOf(String(double));
    if (sameDecimal(back, coefficient, scale)) return double;
  }
  return new Decimal(coefficient, scale);
}

function sameDecimal(a: Decimal, coefficient: bigint, scale: number): boolean {
  const common = Math.max(a.scale, scale);
  return a.coefficient * TEN ** BigInt(common - a.scale) === coefficient * TEN ** BigInt(common - scale);
}

const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,15})?$/;

/** The number a text spells, or undefined. */
export function parseNumber(text: string): Numeric | undefined {
  if (text.length < 16 && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (!NUMERAL.test(text) || text.length > MOST_DIGITS) return undefined;
  const { coefficient, scale } = decimalOf(text.startsWith('+') ? text.slice(1) : text);
  return Math.abs(scale) > MOST_DIGITS ? undefined : reduce(coefficient, scale);
}

/** As JSON and people read it: no exponent below 10^21 (or for exact decimals of any size). */
export function numberText(value: Numeric): string {
  if (typeof value !== 'number') return value.toString();
  const text = String(value);
  if (!text.includes('e')) return text;
  const { coefficient, scale } = decimalOf(text);
  return Math.abs(scale) > 400 ? text : plainText(coefficient, scale);
}

function align(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [
    a.coefficient * TEN ** BigInt(scale - a.scale),
    b.coefficient * TEN ** BigInt(scale - b.scale),
    scale,
  ];
}

export function addDecimals(a: Decimal, b: Decimal): Numeric {
  const [x, y, scale] = align(a, b);
  return reduce(x + y, scale);
}

export function multiplyDecimals(a: Decimal, b: Decimal): Numeric {
  return reduce(a.coefficient * b.coefficient, a.scale + b.scale);
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const [x, y] = align(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

const digitCount = (value: bigint) => (value < ZERO ? -value : value).toString().length;

/** To 34 significant digits, half to even; exact when it ends before. */
export function divideDecimals(a: Decimal, b: Decimal): Numeric {
  const extra = Math.max(0, PRECISION + 2 + digitCount(b.coefficient) - digitCount(a.coefficient));
  const dividend = a.coefficient * TEN ** BigInt(extra);
  let quotient = dividend / b.coefficient;
  let scale = a.scale - b.scale + extra;
  const exact = dividend % b.coefficient === ZERO;
  const surplus = digitCount(quotient) - PRECISION;
  if (surplus > 0) {
    const unit = TEN ** BigInt(surplus);
    quotient = roundedQuotient(
      exact ? quotient : quotient * TEN + (quotient < ZERO ? -1n : 1n),
      exact ? unit : unit * TEN,
    );
    scale -= surplus;
  }
  return scale < 0 ? reduce(quotient * TEN ** BigInt(-scale), 0) : reduce(quotient, scale);
}

/** value / unit, half to even. */
export function roundedQuotient(value: bigint, unit: bigint): bigint {
  const quotient = value / unit;
  const rest = (value < ZERO ? -(value % unit) : value % unit) * 2n;
  const up = rest > unit || (rest === unit && quotient % 2n !== ZERO);
  return up ? quotient + (value < ZERO ? -1n : 1n) : quotient;
}

export function remainderDecimals(a: Decimal, b: Decimal): Numeric {
  const [x, y, scale] = align(a, b);
  return reduce(x % y, scale);
}
