import { describe, expect, it } from 'vitest';
import { nextTime } from './next-time.js';
import { parseSchedule } from './schedule.js';
import { wallClock } from './wall-clock.js';

/** The next times after an instant, in ISO 8601. */
function times(text: string, zone: string, after: string, count = 1): readonly string[] {
  const [schedule, clock] = [parseSchedule(text), wallClock(zone)];
  const found: string[] = [];
  let at = Date.parse(after);
  for (let n = 0; n < count; n++) {
    const next = nextTime(schedule, clock, at);
    if (next === null) break;
    at = next;
    found.push(new Date(next).toISOString().replace('.000', ''));
  }
  return found;
}

describe('a schedule', () => {
  it.each([
    ['*/15 * * * *', '2025-03-01T10:07:00Z', ['2025-03-01T10:15:00Z', '2025-03-01T10:30:00Z']],
    ['0 9 * * 1-5', '2025-02-28T09:00:00Z', ['2025-03-03T09:00:00Z', '2025-03-04T09:00:00Z']],
    ['0 9 * * MON-FRI', '2025-02-28T09:00:00Z', ['2025-03-03T09:00:00Z']],
    ['*/20 * * * * *', '2025-01-01T00:00:00Z', ['2025-01-01T00:00:20Z', '2025-01-01T00:00:40Z']],
    ['0 0 29 2 *', '2025-01-01T00:00:00Z', ['2028-02-29T00:00:00Z']],
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', ['2104-02-29T00:00:00Z']],
    ['0 0 L * *', '2025-01-31T00:00:00Z', ['2025-02-28T00:00:00Z', '2025-03-31T00:00:00Z']],
    ['0 0 1,L * *', '2025-01-31T00:00:00Z', ['2025-02-01T00:00:00Z', '2025-02-28T00:00:00Z']],
    ['0 12 13 * FRI', '2025-06-10T00:00:00Z', ['2025-06-13T12:00:00Z', '2025-06-20T12:00:00Z']],
    ['0 0 ? * 7', '2025-03-01T00:00:00Z', ['2025-03-02T00:00:00Z']],
    ['5/20 8-10/2 * jan,Dec *', '2025-12-31T10:44:00Z', ['2025-12-31T10:45:00Z', '2026-01-01T08:05:00Z']],
    ['@yearly', '2025-03-01T00:00:00Z', ['2026-01-01T00:00:00Z']],
    ['@hourly', '2025-12-31T23:00:00.500Z', ['2026-01-01T00:00:00Z']],
  ])('%s after %s is %j', (text, after, expected) => {
    expect(times(text, 'UTC', after, expected.length)).toEqual(expected);
  });

  it.each([
    ['in its time zone', '30 9 * * *', 'Asia/Kolkata', '2025-01-01T00:00:00Z', ['2025-01-01T04:00:00Z']],
    [
      'once, right after a gap, what falls into it',
      '30 2 * * *',
      'Europe/Berlin',
      '2025-03-29T12:00:00Z',
      ['2025-03-30T01:00:00Z', '2025-03-31T00:30:00Z'],
    ],
    [
      'several of one gap once',
      '0,20,40 2 30 3 *',
      'Europe/Berlin',
      '2025-03-29T12:00:00Z',
      ['2025-03-30T01:00:00Z', '2026-03-30T00:00:00Z'],
    ],
    [
      'after a gap at midnight',
      '30 0 * * *',
      'Africa/Cairo',
      '2025-04-24T12:00:00Z',
      ['2025-04-24T22:00:00Z', '2025-04-25T21:30:00Z'],
    ],
    [
      'by the hour, the first time only where the clock is set back',
      '30 2 * * *',
      'Europe/Berlin',
      '2025-10-25T12:00:00Z',
      ['2025-10-26T00:30:00Z', '2025-10-27T01:30:00Z'],
    ],
    [
      'in every hour, as time goes',
      '30 * * * *',
      'Europe/Berlin',
      '2025-10-25T23:45:00Z',
      ['2025-10-26T00:30:00Z', '2025-10-26T01:30:00Z', '2025-10-26T02:30:00Z'],
    ],
    [
      'over half an hour of summer time',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2025-10-04T12:00:00Z',
      ['2025-10-04T15:30:00Z', '2025-10-05T15:15:00Z'],
    ],
  ])('fires %s', (_what, text, zone, after, expected) => {
    expect(times(text, zone, after, expected.length)).toEqual(expected);
  });

  it.each([
    ['* * * *', /five fields/],
    ['60 * * * *', /minute from 0 to 59/],
    ['* 5-3 * * *', /backwards/],
    ['*/0 * * * *', /at least 1/],
    ['0 0 30 2 *', /no such date/],
    ['0 0 31 4,6,9,11 *', /no such date/],
    ['a * * * *', /minute/],
    ['1--2 * * * *', /minute/],
    [', * * * *', /minute/],
    ['0 0 * foo *', /month/],
  ])('refuses %s and says why', (text, why) => {
    expect(() => parseSchedule(text)).toThrow(why);
  });

  it('refuses a time zone that is none', () => {
    expect(() => wallClock('Mars/Olympus')).toThrow(/time-zone/);
  });
});
