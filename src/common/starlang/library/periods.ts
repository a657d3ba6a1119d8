import { Period, datePeriodBetween } from '../dates/period.js';
import type { Temporal } from '../dates/temporal.js';
import { add, multiply, subtract, roundTo } from '../numbers/arithmetic.js';
import type { Numeric } from '../numbers/decimal.js';
import { member, type ObjectValue } from '../values/objects.js';
import { numberItem, whole } from './arguments.js';
import { fn, type LibraryModule } from './define.js';

/** Clock time of so many seconds, decimals kept to the nanosecond. */
function clock(seconds: Numeric): Period {
  const down = roundTo(seconds, 0, 'floor');
  return Period.duration(Number(down), Number(roundTo(multiply(subtract(seconds, down), 1e9), 0, 'halfUp')));
}

const part = (object: ObjectValue, name: string): Numeric => {
  const value = member(object, name);
  return value === undefined || value === null ? 0 : numberItem(value, `The part "${name}"`);
};

const calendar = (years: Numeric, months: Numeric, days: Numeric) =>
  new Period(whole(years, 'The years'), whole(months, 'The months'), whole(days, 'The days'), 0, 0, false);

export const periods: LibraryModule = {
  name: 'dw::core::Periods',
  functions: [
    fn('years', 'A period of years.', [['years(4)', '"P4Y"']], {
      '(nYears: Number): Period': (n: Numeric) => calendar(n, 0, 0),
    }),
    fn('months', 'A period of months.', [['months(4)', '"P4M"']], {
      '(nMonths: Number): Period': (n: Numeric) => calendar(0, n, 0),
    }),
    fn('days', 'A period of days.', [['days(4)', '"P4D"']], {
      '(nDays: Number): Period': (n: Numeric) => calendar(0, 0, n),
    }),
    fn('hours', 'A duration of hours.', [['hours(4)', '"PT4H"']], {
      '(nHours: Number): Period': (n: Numeric) => clock(multiply(n, 3600)),
    }),
    fn('minutes', 'A duration of minutes.', [['minutes(4.5)', '"PT4M30S"']], {
      '(nMinutes: Number): Period': (n: Numeric) => clock(multiply(n, 60)),
    }),
    fn('seconds', 'A duration of seconds.', [['seconds(4.5)', '"PT4.5S"']], {
      '(nSecs: Number): Period': clock,
    }),
    fn('period', 'A period of years, months and days.', [['period({years: 4, months: 2})', '"P4Y2M"']], {
      '(period: Object): Period': (parts: ObjectValue) =>
        calendar(part(parts, 'years'), part(parts, 'months'), part(parts, 'days')),
    }),
    fn(
      'duration',
      'A duration of days (of 24 hours), hours, minutes and seconds.',
      [['duration({days: 4, hours: 11, minutes: 28})', '"PT107H28M"']],
      {
        '(period: Object): Period': (parts: ObjectValue) =>
          clock(
            add(
              add(multiply(part(parts, 'days'), 86_400), multiply(part(parts, 'hours'), 3600)),
              add(multiply(part(parts, 'minutes'), 60), part(parts, 'seconds')),
            ),
          ),
      },
    ),
    fn(
      'between',
      'Years, months and days from the second date to the first.',
      [['between(|2010-12-12|, |2010-12-10|)', '"P2D"']],
      {
        '(endDateExclusive: Date, startDateInclusive: Date): Period': (end: Temporal, start: Temporal) =>
          datePeriodBetween(start, end),
      },
    ),
  ],
};
