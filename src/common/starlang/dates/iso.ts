import type { Box } from '../values/box.js';
import { daysInMonth, epochDay } from './calendar.js';
import { parsePeriod } from './period.js';
import { NANOS_PER_SECOND, Temporal } from './temporal.js';
import { Zone } from './zone.js';

const DATE = '([+-]?\\d{4,9})-(\\d{2})-(\\d{2})';
const TIME = '(\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?';
const OFFSET = '(Z|[+-]\\d{2}(?::?\\d{2}(?::?\\d{2})?)?)';
const REGION = '(?:\\[([A-Za-z][\\w/+-]*)\\])';
const FULL = new RegExp(`^${DATE}(?:T${TIME}(?:${OFFSET}?${REGION}?)?)?$`);
const CLOCK = new RegExp(`^T?${TIME}${OFFSET}?$`);

/** A date, time or date-time in ISO 8601, its kind told by its parts; undefined when it is none. */
export function parseTemporal(text: string): Temporal | undefined {
  const full = FULL.exec(text);
  if (full) {
    const [year, month, day] = [Number(full[1]), Number(full[2]), Number(full[3])];
    if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
    const days = epochDay(year, month, day);
    if (full[4] === undefined) {
      return Temporal.date(days);
    }
    const nanos = clockNanos(full, 4);
    if (nanos === undefined) return undefined;
    const region = full[9] === undefined ? undefined : Zone.of(full[9]);
    const zone = full[8] === undefined ? undefined : Zone.of(full[8]);
    if (region && zone) return Temporal.dateTime(days, nanos, zone).in(region);
    const only = region ?? zone;
    return only ? Temporal.dateTime(days, nanos, only) : Temporal.localDateTime(days, nanos);
  }
  const clock = CLOCK.exec(text);
  if (!clock) return undefined;
  const nanos = clockNanos(clock, 1);
  if (nanos === undefined) return undefined;
  const zone = clock[5] === undefined ? undefined : Zone.of(clock[5]);
  return zone ? Temporal.time(nanos, zone) : Temporal.localTime(nanos);
}

function clockNanos(found: RegExpExecArray, at: number): number | undefined {
  const [hour, minute, second] = [Number(found[at]), Number(found[at + 1]), Number(found[at + 2] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return (
    (hour * 3600 + minute * 60 + second) * NANOS_PER_SECOND + Number((found[at + 3] ?? '').padEnd(9, '0'))
  );
}

/** What may stand between bars: a temporal, a period or a time zone. */
export function parseBarLiteral(text: string): Box | undefined {
  return parseTemporal(text) ?? parsePeriod(text) ?? Zone.of(text) ?? partial(text);
}

/** `2020`, `2020-10`: a date whose missing parts are 1. */
function partial(text: string): Temporal | undefined {
  const found = /^(\d{4})(?:-(\d{2}))?$/.exec(text);
  return found ? Temporal.date(epochDay(Number(found[1]), Number(found[2] ?? 1), 1)) : undefined;
}
