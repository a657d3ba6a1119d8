import { coercionFault } from '../errors/fault.js';
import { isNegative, multiply, negate, roundTo, type Rounding } from './arithmetic.js';
import { numberText, parseNumber, type Numeric } from './decimal.js';

interface Symbols {
  decimal: string;
  group: string;
}

function symbolsOf(locale: string | undefined): Symbols {
  if (locale === undefined) return { decimal: '.', group: ',' };
  try {
    const parts = new Intl.NumberFormat(locale.replaceAll('_', '-')).formatToParts(1_234_567.5);
    const part = (type: string) => parts.find((found) => found.type === type)?.value;
    return { decimal: part('decimal') ?? '.', group: part('group') ?? ',' };
  } catch {
    throw coercionFault(`The locale "${locale}" is not known`);
  }
}

const MODES: Readonly<Record<string, Rounding>> = {
  HALF_EVEN: 'halfEven',
  HALF_UP: 'halfUp',
  HALF_DOWN: 'halfDown',
  UP: 'up',
  DOWN: 'down',
  FLOOR: 'floor',
  CEILING: 'ceil',
};

/** A rounding mode by its Java name; DecimalFormat rounds half to even. */
export function roundingOf(name: string | undefined): Rounding {
  if (name === undefined) return 'halfEven';
  const key = name.toUpperCase();
  if (!Object.hasOwn(MODES, key)) throw coercionFault(`The rounding mode "${name}" is not known`);
  return MODES[key] as Rounding;
}

interface Pattern {
  prefix: string;
  suffix: string;
  minInteger: number;
  minFraction: number;
  maxFraction: number;
  group: number;
  scale: number;
  exponent: number;
}

/** Writes a number by a Java DecimalFormat pattern such as `#,##0.00`. */
export function formatNumber(
  value: Numeric,
  format: string,
  locale?: string,
  rounding: Rounding = 'halfEven',
): string {
  const [positive = '', negative] = splitPattern(format);
  const symbols = symbolsOf(locale);
  const minus = isNegative(value);
  const amount = minus ? negate(value) : value;
  const pattern = readPattern(positive);
  const text = digits(amount, pattern, symbols, rounding);
  if (!minus || /^[0.,]*$/.test(text)) return pattern.prefix + text + pattern.suffix;
  if (negative === undefined) return `-${pattern.prefix}${text}${pattern.suffix}`;
  const other = readPattern(negative);
  return other.prefix + text + other.suffix;
}

function digits(amount: Numeric, pattern: Pattern, symbols: Symbols, rounding: Rounding): string {
  if (pattern.exponent > 0) return scientific(Number(amount), pattern, symbols);
  const scaled = pattern.scale === 1 ? amount : multiply(amount, pattern.scale);
  const rounded = numberText(roundTo(scaled, pattern.maxFraction, rounding));
  const [whole = '0', fraction = ''] = rounded.split('.');
  let integer = pattern.minInteger === 0 && whole === '0' ? '' : whole.padStart(pattern.minInteger, '0');
  if (pattern.group > 0)
    integer = integer.replace(new RegExp(`\\B(?=(?:\\d{${pattern.group}})+$)`, 'g'), symbols.group);
  const decimals = fraction.padEnd(pattern.minFraction, '0');
  if (integer === '' && decimals === '') integer = '0';
  return decimals ? integer + symbols.decimal + decimals : integer;
}

function scientific(amount: number, pattern: Pattern, symbols: Symbols): string {
  const [mantissa = '0', exponent = '0'] = amount.toExponential(Math.min(pattern.maxFraction, 20)).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const trimmed = fraction.replace(/0+$/, '').padEnd(pattern.minFraction, '0');
  const power = exponent.replace('+', '').replace(/\d+/, (found) => found.padStart(pattern.exponent, '0'));
  return `${whole}${trimmed ? symbols.decimal + trimmed : ''}E${power}`;
}

function splitPattern(format: string): string[] {
  const parts = [''];
  let quoted = false;
  for (const c of format) {
    if (c === "'") quoted = !quoted;
    if (c === ';' && !quoted) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts;
}

const NUMBER_PART = /[#0,.]*[#0](?:[#0,.]*)(?:E0+)?|\.[#0]+/;

function readPattern(text: string): Pattern {
  let [prefix, body, suffix] = ['', '', ''];
  const bare = text.replace(/'[^']*'/g, (quoted) => '\u0001'.repeat(quoted.length));
  const found = NUMBER_PART.exec(bare);
  if (found) {
    prefix = text.slice(0, found.index);
    body = found[0];
    suffix = text.slice(found.index + body.length);
  } else prefix = text;
  const scale = /%/.test(bare) ? 100 : bare.includes('\u2030') ? 1000 : 1;
  const e = body.indexOf('E');
  const exponent = e < 0 ? 0 : body.length - e - 1;
  const number = e < 0 ? body : body.slice(0, e);
  const [integer = '', fraction = ''] = number.split('.');
  const comma = integer.lastIndexOf(',');
  return {
    prefix: unquote(prefix),
    suffix: unquote(suffix),
    // A pattern of nothing but # before and after the point shows the zero before it.
    minInteger:
      number.includes('.') && !number.includes('0') && integer !== ''
        ? 1
        : (integer.match(/0/g) ?? []).length,
    minFraction: (fraction.match(/0/g) ?? []).length,
    maxFraction: fraction.replaceAll(',', '').length,
    group: comma < 0 ? 0 : integer.length - comma - 1,
    scale,
    exponent,
  };
}

const unquote = (text: string) =>
  text.replace(/'([^']*)'/g, (_, inner: string) => inner || "'").replaceAll('\u00a4', '$');

/** Reads a number that was written by the pattern; undefined when the text is no such number. */
export function parseFormattedNumber(text: string, format: string, locale?: string): Numeric | undefined {
  const pattern = readPattern(splitPattern(format)[0] ?? '');
  const symbols = symbolsOf(locale);
  let rest = text.trim();
  const minus = rest.startsWith('-');
  if (minus) rest = rest.slice(1);
  if (pattern.prefix && rest.startsWith(pattern.prefix)) rest = rest.slice(pattern.prefix.length);
  if (pattern.suffix && rest.endsWith(pattern.suffix)) rest = rest.slice(0, -pattern.suffix.length);
  const number = parseNumber(rest.replaceAll(symbols.group, '').replace(symbols.decimal, '.').trim());
  return number !== undefined && minus ? negate(number) : number;
}
