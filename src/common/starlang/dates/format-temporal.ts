import { coercionFault } from '../errors/fault.js';
import { calendarDay, dayOfWeek, dayOfYear, epochDay } from './calendar.js';
import { halfDay, localeOf, monthName, weekdayName } from './names.js';
import { readPattern, type PatternPart } from './pattern.js';
import { NANOS_PER_SECOND, type Temporal } from './temporal.js';
import { offsetText } from './zone.js';

/** Writes a temporal by a Java date pattern. */
export function formatTemporal(temporal: Temporal, pattern: string, locale?: string): string {
  const name = localeOf(locale);
  const write = (parts: PatternPart[]): string =>
    parts
      .map((part) =>
        part.kind === 'text'
          ? part.text
          : part.kind === 'optional'
            ? write(part.parts)
            : field(temporal, part, name),
      )
      .join('');
  return write(readPattern(pattern));
}

type Field = Extract<PatternPart, { kind: 'field' }>;

const padded = (value: number, count: number) =>
  (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(count, '0');
const yearText = (year: number, count: number) =>
  count === 2 ? padded(((year % 100) + 100) % 100, 2) : padded(year, count);
const styleOf = (count: number) => (count >= 5 ? 'narrow' : count === 4 ? 'long' : 'short');

function field(temporal: Temporal, { letter, count }: Field, locale: string): string {
  const needsDate = 'GuyYDMLdQqwWEecF'.includes(letter);
  const needsZone = 'VvzOXxZ'.includes(letter);
  if (needsDate && !temporal.hasDate) throw lacks(temporal, letter);
  if (needsZone && !temporal.zone) throw lacks(temporal, letter);
  if (!needsDate && !needsZone && !temporal.hasTime) throw lacks(temporal, letter);
  if (needsDate) return dateField(temporal, letter, count, locale);
  if (needsZone) return zoneField(temporal, letter, count, locale);
  return timeField(temporal, letter, count, locale);
}

function lacks(temporal: Temporal, letter: string) {
  return coercionFault(
    `A ${temporal.typeName} (${temporal.toString()}) has nothing for "${letter}" of the pattern`,
  );
}

function dateField(temporal: Temporal, letter: string, count: number, locale: string): string {
  const { year, month, day } = calendarDay(temporal.day);
  const weekday = dayOfWeek(temporal.day);
  switch (letter) {
    case 'u':
    case 'y':
      return yearText(year, count);
    case 'Y':
      return yearText(weekOf(temporal.day).year, count);
    case 'M':
    case 'L':
      return count <= 2 ? padded(month, count) : monthName(month, styleOf(count), locale, letter === 'L');
    case 'd':
      return padded(day, count);
    case 'D':
      return padded(dayOfYear(temporal.day), count);
    case 'E':
      return weekdayName(weekday, styleOf(count), locale);
    case 'e':
    case 'c':
      return count <= 2 ? padded((weekday % 7) + 1, count) : weekdayName(weekday, styleOf(count), locale);
    case 'Q':
    case 'q': {
      const quarter = Math.ceil(month / 3);
      if (count <= 2) return padded(quarter, count);
      if (letter === 'q' && count === 3) return String(quarter);
      return count === 3 ? `Q${quarter}` : `${ORDINALS[quarter - 1]} quarter`;
    }
    case 'w':
      return padded(weekOf(temporal.day).week, count);
    case 'W': {
      const first = dayOfWeek(epochDay(year, month, 1)) % 7;
      return padded(Math.floor((day - 1 + first) / 7) + 1, count);
    }
    case 'F':
      return padded(((day - 1) % 7) + 1, count);
    default:
      return year > 0 ? (count === 4 ? 'Anno Domini' : 'AD') : count === 4 ? 'Before Christ' : 'BC';
  }
}

const ORDINALS = ['1st', '2nd', '3rd', '4th'];

/** The Sunday on or before January 1st. */
function weekYearStart(year: number): number {
  const first = epochDay(year, 1, 1);
  return first - (dayOfWeek(first) % 7);
}

/** Weeks begin on Sunday and the first holds January 1st, as in the default locale. */
function weekOf(day: number): { year: number; week: number } {
  const { year } = calendarDay(day);
  if (day >= weekYearStart(year + 1)) return { year: year + 1, week: 1 };
  return { year, week: Math.floor((day - weekYearStart(year)) / 7) + 1 };
}

function timeField(temporal: Temporal, letter: string, count: number, locale: string): string {
  const seconds = Math.floor(temporal.nanos / NANOS_PER_SECOND);
  const hour = Math.floor(seconds / 3600);
  switch (letter) {
    case 'H':
      return padded(hour, count);
    case 'k':
      return padded(hour === 0 ? 24 : hour, count);
    case 'K':
      return padded(hour % 12, count);
    case 'h':
      return padded(hour % 12 === 0 ? 12 : hour % 12, count);
    case 'm':
      return padded(Math.floor(seconds / 60) % 60, count);
    case 's':
      return padded(seconds % 60, count);
    case 'S':
      return String(temporal.nanoOfSecond).padStart(9, '0').slice(0, count).padEnd(count, '0');
    case 'n':
      return padded(temporal.nanoOfSecond, count);
    case 'N':
      return padded(temporal.nanos, count);
    case 'A':
      return padded(Math.floor(temporal.nanos / 1e6), count);
    default:
      return halfDay(hour >= 12, locale);
  }
}

function zoneField(temporal: Temporal, letter: string, count: number, locale: string): string {
  const { offset } = temporal;
  const colon = offsetText(offset, '');
  switch (letter) {
    case 'X':
    case 'x':
      if (offset === 0 && letter === 'X') return 'Z';
      return count === 1
        ? colon.replace(':', '').replace(/^(.\d\d)00$/, '$1')
        : count % 2 === 0
          ? colon.replaceAll(':', '')
          : colon;
    case 'Z':
      return count <= 3 ? colon.replaceAll(':', '') : count === 4 ? gmt(offset) : offsetText(offset);
    case 'O':
      return count === 4
        ? gmt(offset)
        : gmt(offset)
            .replace(/([+-])0(\d)/, '$1$2')
            .replace(/:00$/, '');
    case 'V':
      return temporal.zone?.id ?? '';
    default:
      return zoneName(temporal, count, locale);
  }
}

const gmt = (offset: number) => (offset === 0 ? 'GMT' : `GMT${offsetText(offset)}`);

function zoneName(temporal: Temporal, count: number, locale: string): string {
  const zone = temporal.zone;
  if (!zone || zone.fixed !== undefined) return zone?.id ?? '';
  const style = count >= 4 ? 'long' : 'short';
  const format = new Intl.DateTimeFormat(locale, { timeZone: zone.id, timeZoneName: style });
  const parts = format.formatToParts(temporal.seconds * 1000);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone.id;
}
