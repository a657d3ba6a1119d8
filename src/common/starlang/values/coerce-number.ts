import { Period } from '../dates/period.js';
import { Temporal } from '../dates/temporal.js';
import { add, divide, multiply, roundTo } from '../numbers/arithmetic.js';
import { Decimal, parseNumber, type Numeric } from '../numbers/decimal.js';
import { parseFormattedNumber } from '../numbers/format-number.js';
import { NONE, optionText, refuse, type CoerceOptions } from './coerce-options.js';
import { textOf } from './text.js';
import type { Value } from './value.js';

export function toNumber(value: Value, options: CoerceOptions = NONE): Numeric {
  if (typeof value === 'number' || value instanceof Decimal) return value;
  const unit = optionText(options.unit);
  if (value instanceof Temporal && value.typeName === 'DateTime') {
    if (unit === 'milliseconds')
      return add(multiply(value.seconds, 1000), Math.floor(value.nanoOfSecond / 1e6));
    return unit === 'nanos' ? add(multiply(value.seconds, 1e9), value.nanoOfSecond) : value.seconds;
  }
  if (value instanceof Period) return periodNumber(value, unit);
  const text = textOf(value) ?? refuse(value, 'Number');
  if (value instanceof Temporal || typeof value === 'boolean') return refuse(value, 'Number');
  const format = optionText(options.format);
  if (format !== undefined) {
    if (!/[#0]/.test(format)) return refuse(value, 'Number', `"${format}" is no pattern of a number`);
    const formatted = parseFormattedNumber(text, format, optionText(options.locale));
    if (formatted !== undefined) return formatted;
  }
  return parseNumber(text.trim()) ?? refuse(value, 'Number');
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

/** Without a unit: months of a calendar period, seconds of clock time. */
function periodNumber(period: Period, unit: string | undefined): Numeric {
  if (unit === 'years') return Math.trunc(period.totalMonths / 12);
  if (unit === 'months' || (unit === undefined && period.totalMonths !== 0)) return period.totalMonths;
  const seconds = add(period.totalSeconds, divide(period.nanos, 1e9));
  if (unit === 'milliseconds' || unit === 'millis') return roundTo(multiply(seconds, 1000), 0, 'down');
  if (unit === 'nanos') return multiply(seconds, 1e9);
  const size = Object.hasOwn(UNIT_SECONDS, unit ?? 'seconds') ? UNIT_SECONDS[unit ?? 'seconds'] : undefined;
  return size === undefined
    ? refuse(period, 'Number', `no unit "${unit}"`)
    : roundTo(divide(seconds, size), size === 1 ? 9 : 0, 'down');
}
