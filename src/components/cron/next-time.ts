import type { Schedule } from './schedule.js';
import type { WallClock } from './wall-clock.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Longer than the longest wait there is: from one 29 February over a century without one to the next. */
const horizon = 9 * 366 * day;

/**
 * The first instant after `after` at which the schedule fires. Where the clock is set forward, what fell into the gap
 * fires once, right after it; where it is set back, a schedule by the hour fires the first time only, while one that
 * fires in every hour goes on as time does.
 * @returns null where there is none within nine years
 */
export function nextTime(schedule: Schedule, clock: WallClock, after: number): number | null {
  const end = after + horizon;
  let instant = Math.floor(after / second) * second + second;
  let reading = clock.reading(instant);
  while (instant < end) {
    const step = stepFrom(schedule, reading);
    if (step === 0) {
      if (!schedule.isByHour || clock.instant(reading) === instant) return instant;
      instant += second;
      reading = clock.reading(instant);
      continue;
    }
    const from = reading;
    const to = instant + advance(clock, instant, reading, step);
    const landed = clock.reading(to);
    const jumped = landed - from - (to - instant);
    if (jumped > 0 && schedule.isByHour && firesBetween(schedule, landed - jumped, landed)) return to;
    instant = to;
    reading = landed;
  }
  return null;
}

/** How far the next reading that may match is at least; 0 where this one matches. */
function stepFrom(schedule: Schedule, reading: number): number {
  const date = new Date(reading);
  if (!schedule.months.has(date.getUTCMonth() + 1)) {
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - reading;
  }
  if (!matchesDay(schedule, date)) return day - (reading % day);
  if (!schedule.hours.has(date.getUTCHours())) return hour - (reading % hour);
  if (!schedule.minutes.has(date.getUTCMinutes())) return minute - (reading % minute);
  if (!schedule.seconds.has(date.getUTCSeconds())) return second;
  return 0;
}

/**
 * Hours and less are real time. Over days the way goes to the last hour before midnight first, so that a gap at midnight
 * is met at its edge.
 */
function advance(clock: WallClock, instant: number, reading: number, step: number): number {
  if (step <= hour) return step;
  const before = clock.instant(reading + step) - hour - instant;
  return before > 0 ? before : hour - (reading % hour);
}

function matchesDay({ days, weekdays, lastDay, eitherDay }: Schedule, date: Date): boolean {
  const number = date.getUTCDate();
  const isLast = lastDay && new Date(date.getTime() + day).getUTCDate() === 1;
  const byNumber = days.has(number) || isLast;
  const byWeekday = weekdays.has(date.getUTCDay());
  return eitherDay ? byNumber || byWeekday : byNumber && byWeekday;
}

function firesBetween(schedule: Schedule, from: number, to: number): boolean {
  let reading = Math.ceil(from / second) * second;
  while (reading < to) {
    const step = stepFrom(schedule, reading);
    if (step === 0) return true;
    reading += step;
  }
  return false;
}
