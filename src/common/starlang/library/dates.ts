import { calendarDay, dayOfWeek, daysInMonth, epochDay } from '../dates/calendar.js';
import { NANOS_PER_SECOND, Temporal } from '../dates/temporal.js';
import { Zone } from '../dates/zone.js';
import { typeFault } from '../errors/fault.js';
import { roundTo, multiply } from '../numbers/arithmetic.js';
import type { Numeric } from '../numbers/decimal.js';
import { member, type ObjectValue } from '../values/objects.js';
import type { Value } from '../values/value.js';
import { numberItem, whole } from './arguments.js';
import { currentDateTime } from './core/dates.js';
import { fn, nullable, type LibraryModule, type Native } from './define.js';

function number(parts: ObjectValue, name: string): Numeric {
  const value = member(parts, name);
  if (value === undefined) throw typeFault(`The part "${name}" is missing`);
  return numberItem(value, `The part "${name}"`);
}

function dayOf(parts: ObjectValue): number {
  const [year, month, day] = ['year', 'month', 'day'].map((name) =>
    whole(number(parts, name), `The ${name}`),
  ) as [number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    throw typeFault(`There is no day ${year}-${month}-${day}`);
  return epochDay(year, month, day);
}

function nanosOf(parts: ObjectValue): number {
  const [hour, minutes] = [
    whole(number(parts, 'hour'), 'The hour'),
    whole(number(parts, 'minutes'), 'The minutes'),
  ];
  const seconds = number(parts, 'seconds');
  if (hour < 0 || hour > 23 || minutes < 0 || minutes > 59 || Number(seconds) < 0 || Number(seconds) >= 60)
    throw typeFault(`There is no time ${hour}:${minutes}:${String(seconds)}`);
  return (hour * 3600 + minutes * 60) * NANOS_PER_SECOND + Number(roundTo(multiply(seconds, 1e9), 0, 'down'));
}

function zoneOf(parts: ObjectValue): Zone {
  const zone = member(parts, 'timeZone') ?? member(parts, 'timezone');
  if (zone instanceof Zone) return zone;
  const found = typeof zone === 'string' ? Zone.of(zone) : undefined;
  if (!found) throw typeFault('The part "timeZone" is missing or no time zone');
  return found;
}

type Change = (temporal: Temporal) => Temporal;

/** The same change for every kind that has what it needs. */
function forKinds(kinds: readonly string[], change: Change): Record<string, Native> {
  return Object.fromEntries(kinds.map((kind) => [`(value: ${kind}): ${kind}`, change]));
}

const DATED = ['DateTime', 'LocalDateTime', 'Date'];
const day = (value: Temporal) => calendarDay(value.day);
const today = (offset: number): Value => Temporal.date(currentDateTime().day + offset);

export const dates: LibraryModule = {
  name: 'dw::core::Dates',
  functions: [
    nullable(
      'atBeginningOfDay',
      'Midnight of the day.',
      [['atBeginningOfDay(|2024-05-05T10:20:30Z|)', '"2024-05-05T00:00:00Z"']],
      forKinds(['DateTime', 'LocalDateTime'], (value) => value.with(value.day, 0)),
    ),
    nullable(
      'atBeginningOfHour',
      'The beginning of the hour.',
      [['atBeginningOfHour(|10:20:30|)', '"10:00:00"']],
      forKinds(['DateTime', 'LocalDateTime', 'LocalTime', 'Time'], (value) =>
        value.with(value.day, value.nanos - (value.nanos % (3600 * NANOS_PER_SECOND))),
      ),
    ),
    nullable(
      'atBeginningOfMonth',
      'The first day of the month.',
      [['atBeginningOfMonth(|2024-05-05|)', '"2024-05-01"']],
      forKinds(DATED, (value) => value.with(value.day - day(value).day + 1, 0)),
    ),
    nullable(
      'atBeginningOfWeek',
      'The Sunday of the week.',
      [['atBeginningOfWeek(|2024-05-08|)', '"2024-05-05"']],
      forKinds(DATED, (value) => value.with(value.day - (dayOfWeek(value.day) % 7), 0)),
    ),
    nullable(
      'atBeginningOfYear',
      'The first day of the year.',
      [['atBeginningOfYear(|2024-05-05|)', '"2024-01-01"']],
      forKinds(DATED, (value) => value.with(epochDay(day(value).year, 1, 1), 0)),
    ),
    fn('date', 'A date of its parts.', [['date({year: 2024, month: 5, day: 6})', '"2024-05-06"']], {
      '(parts: Object): Date': (parts: ObjectValue) => Temporal.date(dayOf(parts)),
    }),
    fn(
      'dateTime',
      'A date and time with zone of its parts.',
      [
        [
          'dateTime({year: 2024, month: 5, day: 6, hour: 1, minutes: 2, seconds: 3, timeZone: |-03:00|})',
          '"2024-05-06T01:02:03-03:00"',
        ],
      ],
      {
        '(parts: Object): DateTime': (parts: ObjectValue) =>
          Temporal.dateTime(dayOf(parts), nanosOf(parts), zoneOf(parts)),
      },
    ),
    fn(
      'localDateTime',
      'A date and time of its parts.',
      [
        [
          'localDateTime({year: 2024, month: 5, day: 6, hour: 1, minutes: 2, seconds: 3})',
          '"2024-05-06T01:02:03"',
        ],
      ],
      {
        '(parts: Object): LocalDateTime': (parts: ObjectValue) =>
          Temporal.localDateTime(dayOf(parts), nanosOf(parts)),
      },
    ),
    fn(
      'localTime',
      'A time of its parts.',
      [['localTime({hour: 1, minutes: 2, seconds: 3})', '"01:02:03"']],
      { '(parts: Object): LocalTime': (parts: ObjectValue) => Temporal.localTime(nanosOf(parts)) },
    ),
    fn(
      'time',
      'A time with zone of its parts.',
      [['time({hour: 1, minutes: 2, seconds: 3, timeZone: |Z|})', '"01:02:03Z"']],
      { '(parts: Object): Time': (parts: ObjectValue) => Temporal.time(nanosOf(parts), zoneOf(parts)) },
    ),
    fn('today', 'The date of the run, in UTC.', [['today() is Date', 'true']], {
      '(): Date': () => today(0),
    }),
    fn('tomorrow', 'The date one day after the run, in UTC.', [['tomorrow() > today()', 'true']], {
      '(): Date': () => today(1),
    }),
    fn('yesterday', 'The date one day before the run, in UTC.', [['yesterday() < today()', 'true']], {
      '(): Date': () => today(-1),
    }),
  ],
};
