import { fn } from '../define.js';
import { calendarDay, isLeapYear } from '../../dates/calendar.js';
import { Temporal } from '../../dates/temporal.js';
import { machine } from '../../runtime/machine.js';
import { Zone } from '../../dates/zone.js';

/** The clock of the run, in UTC. */
export function currentDateTime(): Temporal {
  return Temporal.ofMillis((machine.env.now?.() ?? new Date()).getTime(), Zone.utc);
}

const leap = (date: Temporal) => isLeapYear(calendarDay(date.day).year);

export const dates = [
  fn('now', 'The date and time of the run, in UTC.', [['now() is DateTime', 'true']], {
    '(): DateTime': currentDateTime,
  }),
  fn(
    'daysBetween',
    'Whole days from one date to another.',
    [['daysBetween(|2024-01-01|, |2024-03-01|)', '60']],
    {
      '(from: Date, to: Date): Number': (from: Temporal, to: Temporal) => to.day - from.day,
    },
  ),
  fn('isLeapYear', 'Is the date in a leap year?', [['isLeapYear(|2024-05-01|)', 'true']], {
    '(dateTime: DateTime): Boolean': leap,
    '(date: Date): Boolean': leap,
    '(datetime: LocalDateTime): Boolean': leap,
  }),
];
