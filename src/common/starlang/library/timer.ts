import { Temporal } from '../dates/temporal.js';
import { toNumber } from '../values/coerce-number.js';
import type { Value } from '../values/value.js';
import { currentDateTime } from './core/dates.js';
import { fn, type Callback, type LibraryModule } from './define.js';

const millis = (date: Temporal) => toNumber(date, { unit: 'milliseconds' });

/** The clock is that of the run: under a replay it stands still, and so does what is measured. */
export const timer: LibraryModule = {
  name: 'dw::util::Timer',
  functions: [
    fn(
      'currentMilliseconds',
      'Milliseconds since 1970 by the clock of the run.',
      [['currentMilliseconds() is Number', 'true']],
      { '(): Number': () => millis(currentDateTime()) },
    ),
    fn(
      'toMilliseconds',
      'Milliseconds since 1970 of a date and time.',
      [['toMilliseconds(|1970-01-01T00:00:01Z|)', '1000']],
      { '(date: DateTime): Number': millis },
    ),
    fn(
      'duration',
      'What the function gives and the milliseconds it took, as {time, result}.',
      [['duration(() -> 1).result', '1']],
      {
        '(valueToMeasure: () -> T): Object': (body: Callback): Value => {
          const start = Number(millis(currentDateTime()));
          const result = body();
          return { time: Number(millis(currentDateTime())) - start, result };
        },
      },
    ),
    fn(
      'time',
      'What the function gives and when it began and ended, as {start, result, end}.',
      [['time(() -> 1).result', '1']],
      {
        '(valueToMeasure: () -> T): Object': (body: Callback): Value => {
          const start = currentDateTime();
          const result = body();
          return { start, result, end: currentDateTime() };
        },
      },
    ),
  ],
};
