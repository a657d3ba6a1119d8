import { HelixError } from '../../common/engine/errors/helix-error.js';

/** A schedule taken apart: which values of each field match. */
export interface Schedule {
  readonly seconds: ReadonlySet<number>;
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  /** 1 is January. */
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** The last day of the month, whatever its number (`L`). */
  readonly lastDay: boolean;
  /** Day of month and weekday are both restricted: either is enough, as in every cron. */
  readonly eitherDay: boolean;
  /** Fires by the hour of the clock on the wall, not in every hour. */
  readonly isByHour: boolean;
}

interface Field {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly words?: readonly string[];
}

const monthWords = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayWords = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields = {
  second: { name: 'second', low: 0, high: 59 },
  minute: { name: 'minute', low: 0, high: 59 },
  hour: { name: 'hour', low: 0, high: 23 },
  day: { name: 'day of month', low: 1, high: 31 },
  month: { name: 'month', low: 1, high: 12, words: monthWords },
  weekday: { name: 'weekday', low: 0, high: 7, words: dayWords },
} satisfies Readonly<Record<string, Field>>;

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Five fields (minute, hour, day of month, month, weekday) or six with the second before them. Each is `*`, a number, a
 * range `1-5`, a list of these, and steps such as `*` + `/15` or `8-18/2`; months and weekdays also by their English
 * names, `7` is Sunday too, `L` the last day of a month, and `@daily` and the like stand for what they say.
 * @throws HelixError `WORKSPACE.WRONG_OPTION`
 */
export function parseSchedule(text: string): Schedule {
  const parts = (shorthands[text.trim().toLowerCase()] ?? text).trim().split(/\s+/);
  if (parts.length === 5) parts.unshift('0');
  if (parts.length !== 6) {
    throw wrong(
      text,
      'it has five fields (minute, hour, day of month, month, weekday), or six with the second first',
    );
  }
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = ''] = parts;
  const lastDay = day.toUpperCase().split(',').includes('L');
  const dayNumbers = day
    .split(',')
    .filter((part) => part.toUpperCase() !== 'L')
    .join(',');
  const weekdays = new Set([...read(fields.weekday, weekday, text)].map((value) => value % 7));
  const schedule: Schedule = {
    seconds: read(fields.second, second, text),
    minutes: read(fields.minute, minute, text),
    hours: read(fields.hour, hour, text),
    days: dayNumbers === '' && lastDay ? new Set() : read(fields.day, dayNumbers, text),
    months: read(fields.month, month, text),
    weekdays,
    lastDay,
    eitherDay: !isAny(day) && !isAny(weekday),
    isByHour: !isAny(hour),
  };
  refuseNever(schedule, text, isAny(weekday));
  return schedule;
}

/** Such as `*`, `?` and `*` + `/2`: the old rule that a field beginning with a star restricts no days. */
const isAny = (part: string): boolean => part.startsWith('*') || part === '?';

function read({ name, low, high, words }: Field, part: string, text: string): ReadonlySet<number> {
  const values = new Set<number>();
  const number = (token: string): number => {
    const word = words?.indexOf(token.toLowerCase()) ?? -1;
    const value = word >= 0 ? word + (low === 1 ? 1 : 0) : /^\d+$/.test(token) ? Number(token) : NaN;
    if (value >= low && value <= high) return value;
    throw wrong(text, `"${token}" is no ${name} from ${low} to ${high}`);
  };
  for (const item of part.split(',')) {
    const match = /^(?:(\*|\?)|([^-/]+)(?:-([^-/]+))?)(?:\/(\d+))?$/.exec(item);
    if (!match) throw wrong(text, `"${item}" is no ${name}`);
    const [, any, first, last, by] = match;
    const step = by === undefined ? 1 : Number(by);
    if (step < 1) throw wrong(text, `the step of "${item}" must be at least 1`);
    const from = any === undefined ? number(first ?? '') : low;
    // `5/10` means from 5 on, to the end.
    const to = any !== undefined ? high : last !== undefined ? number(last) : by !== undefined ? high : from;
    if (from > to) throw wrong(text, `the range "${item}" goes backwards`);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

function refuseNever({ days, months, lastDay }: Schedule, text: string, isAnyWeekday: boolean): void {
  if (lastDay || !isAnyWeekday) return;
  const first = Math.min(...days);
  if ([...months].some((month) => first <= (longestMonth[month - 1] ?? 0))) return;
  throw wrong(text, 'no such date ever comes');
}

function wrong(text: string, why: string): HelixError {
  return new HelixError('WORKSPACE.WRONG_OPTION', `The schedule "${text}" is wrong: ${why}.`, {
    details: { option: 'schedule' },
  });
}
