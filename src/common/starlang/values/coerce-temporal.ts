import { parseTemporal } from '../dates/iso.js';
import { parseByPattern, type ParseMode } from '../dates/parse-temporal.js';
import { Temporal, type TemporalKind } from '../dates/temporal.js';
import { Zone } from '../dates/zone.js';
import { Decimal } from '../numbers/decimal.js';
import { CData } from './atoms.js';
import { optionText, refuse, type CoerceOptions } from './coerce-options.js';
import { textOf } from './text.js';
import type { Value } from './value.js';

const MODES = ['SMART', 'STRICT', 'LENIENT'];

export function toTemporal(value: Value, kind: TemporalKind, options: CoerceOptions): Temporal {
  if (value instanceof Temporal) return convertTemporal(value, kind) ?? refuse(value, kind);
  if ((typeof value === 'number' || value instanceof Decimal) && options.format === undefined) {
    if (kind !== 'DateTime') return refuse(value, kind);
    const millis = optionText(options.unit) === 'milliseconds' ? Number(value) : Number(value) * 1000;
    return Temporal.ofMillis(millis);
  }
  const text =
    (typeof value === 'object' && !(value instanceof CData) && !(value instanceof Decimal)
      ? undefined
      : textOf(value)) ?? refuse(value, kind);
  const format = optionText(options.format);
  if (format !== undefined) {
    const mode = optionText(options.mode)?.toUpperCase();
    const read = parseByPattern(text, format, kind, {
      locale: optionText(options.locale),
      ...(mode && MODES.includes(mode) ? { mode: mode as ParseMode } : {}),
    });
    read.format = { pattern: format, locale: optionText(options.locale) };
    return read;
  }
  const found = parseTemporal(text.trim());
  const exact =
    found &&
    (found.typeName === kind
      ? found
      : kind === 'DateTime' || found.typeName !== 'Date'
        ? convertTemporal(found, kind)
        : undefined);
  return exact ?? refuse(value, kind);
}

/** What a temporal has of another kind; a missing zone is UTC, a missing time midnight. */
export function convertTemporal(value: Temporal, kind: TemporalKind): Temporal | undefined {
  if (value.typeName === kind) return value;
  const zone = value.zone ?? Zone.utc;
  switch (kind) {
    case 'Date':
      return value.hasDate ? Temporal.date(value.day) : undefined;
    case 'LocalTime':
      return value.hasTime ? Temporal.localTime(value.nanos) : undefined;
    case 'Time':
      return value.hasTime
        ? Temporal.time(value.nanos, value.zone ? Zone.offset(value.offset) : zone)
        : undefined;
    case 'LocalDateTime':
      return value.hasDate ? Temporal.localDateTime(value.day, value.nanos) : undefined;
    case 'DateTime':
      return value.hasDate ? Temporal.dateTime(value.day, value.nanos, zone) : undefined;
  }
}
