import { typeFault } from '../errors/fault.js';
import { Box } from '../values/box.js';
import { calendarDay, dayOfWeek, dayOfYear, plusMonths } from './calendar.js';
import { offsetText, Zone } from './zone.js';

export type TemporalKind = 'Date' | 'DateTime' | 'LocalDateTime' | 'Time' | 'LocalTime';

export const NANOS_PER_SECOND = 1e9;
export const NANOS_PER_DAY = 86_400 * NANOS_PER_SECOND;

/** The first and the last day of the years a date may have, as in the peer language. */
const FIRST_DAY = -365_243_219_162;
const LAST_DAY = 365_241_780_471;

/** A date, a time or both, with or without a zone. Parts that a kind has not are zero. */
export class Temporal extends Box {
  /** The pattern the value was read by: it is written by the same one unless another is asked for. */
  format: { pattern: string; locale: string | undefined } | undefined;

  private constructor(
    readonly typeName: TemporalKind,
    /** Days since 1970-01-01 on the wall calendar. */
    readonly day: number,
    /** Nanoseconds since midnight on the wall clock. */
    readonly nanos: number,
    readonly zone: Zone | undefined,
    /** Seconds east of UTC. */
    readonly offset: number,
  ) {
    super();
    if (!(day >= FIRST_DAY && day <= LAST_DAY))
      throw typeFault('A date is outside of the years -999999999 to 999999999');
  }

  static date(day: number): Temporal {
    return new Temporal('Date', day, 0, undefined, 0);
  }
  static localTime(nanos: number): Temporal {
    return new Temporal('LocalTime', 0, nanos, undefined, 0);
  }
  static time(nanos: number, zone: Zone): Temporal {
    return new Temporal('Time', 0, nanos, zone, zone.offsetAt(0));
  }
  static localDateTime(day: number, nanos: number): Temporal {
    return new Temporal('LocalDateTime', day, nanos, undefined, 0);
  }
  static dateTime(day: number, nanos: number, zone: Zone): Temporal {
    const offset = zone.offsetForLocal(day * 86_400 + Math.floor(nanos / NANOS_PER_SECOND));
    return new Temporal('DateTime', day, nanos, zone, offset);
  }
  /** From an instant: seconds since the epoch and nanoseconds within the second. */
  static instant(seconds: number, nanos: number, zone: Zone): Temporal {
    const offset = zone.offsetAt(seconds);
    const local = seconds + offset;
    const day = Math.floor(local / 86_400);
    return new Temporal('DateTime', day, (local - day * 86_400) * NANOS_PER_SECOND + nanos, zone, offset);
  }
  static ofMillis(millis: number, zone = Zone.utc): Temporal {
    const seconds = Math.floor(millis / 1000);
    return Temporal.instant(seconds, Math.round((millis - seconds * 1000) * 1e6), zone);
  }

  get hasDate(): boolean {
    return this.typeName !== 'Time' && this.typeName !== 'LocalTime';
  }
  get hasTime(): boolean {
    return this.typeName !== 'Date';
  }
  /** Seconds since the epoch (since midnight UTC for a time); without a zone as if in UTC. */
  get seconds(): number {
    return this.day * 86_400 + Math.floor(this.nanos / NANOS_PER_SECOND) - this.offset;
  }
  get nanoOfSecond(): number {
    return this.nanos % NANOS_PER_SECOND;
  }

  /** The same instant on the clocks of another zone. */
  in(zone: Zone): Temporal {
    if (this.typeName === 'Time') {
      const nanos = this.nanos + (zone.offsetAt(0) - this.offset) * NANOS_PER_SECOND;
      return Temporal.time(((nanos % NANOS_PER_DAY) + NANOS_PER_DAY) % NANOS_PER_DAY, zone);
    }
    return Temporal.instant(this.seconds, this.nanoOfSecond, zone);
  }

  /** The same wall clock with other date or time. */
  with(day: number, nanos: number): Temporal {
    if (this.typeName === 'DateTime') return Temporal.dateTime(day, nanos, this.zone ?? Zone.utc);
    return new Temporal(
      this.typeName,
      this.hasDate ? day : 0,
      this.hasTime ? nanos : 0,
      this.zone,
      this.offset,
    );
  }

  plus(months: number, days: number, seconds: number, nanos: number): Temporal {
    const moved: Temporal =
      this.hasDate && (months !== 0 || days !== 0)
        ? this.with(plusMonths(this.day, months) + days, this.nanos)
        : this;
    if (seconds === 0 && nanos === 0) return moved;
    if (this.typeName === 'DateTime') {
      const total = moved.nanoOfSecond + nanos;
      const carry = Math.floor(total / NANOS_PER_SECOND);
      return Temporal.instant(
        moved.seconds + seconds + carry,
        total - carry * NANOS_PER_SECOND,
        moved.zone ?? Zone.utc,
      );
    }
    const wholeDays = Math.floor(seconds / 86_400);
    const clock = moved.nanos + (seconds - wholeDays * 86_400) * NANOS_PER_SECOND + nanos;
    const carry = Math.floor(clock / NANOS_PER_DAY);
    return moved.with(moved.day + wholeDays + carry, clock - carry * NANOS_PER_DAY);
  }

  override toString(): string {
    const zone = this.zone ? offsetText(this.offset) : '';
    if (!this.hasDate) return timeText(this.nanos) + zone;
    if (!this.hasTime) return dateText(this.day);
    return `${dateText(this.day)}T${timeText(this.nanos)}${zone}`;
  }

  /** A named part, as the selectors `.year`, `.minutes` … give it. */
  part(name: string): number | Zone | undefined {
    if (this.hasDate) {
      const { year, month, day } = calendarDay(this.day);
      switch (name) {
        case 'year':
          return year;
        case 'month':
          return month;
        case 'day':
          return day;
        case 'quarter':
          return Math.ceil(month / 3);
        case 'dayOfWeek':
          return dayOfWeek(this.day);
        case 'dayOfYear':
          return dayOfYear(this.day);
      }
    }
    if (this.hasTime) {
      const seconds = Math.floor(this.nanos / NANOS_PER_SECOND);
      switch (name) {
        case 'hour':
          return Math.floor(seconds / 3600);
        case 'minutes':
          return Math.floor(seconds / 60) % 60;
        case 'seconds':
          return seconds % 60;
        case 'milliseconds':
          return Math.floor(this.nanoOfSecond / 1e6);
        case 'nanoseconds':
          return this.nanoOfSecond;
      }
    }
    if (this.zone && name === 'timezone') return this.zone;
    if (this.zone && name === 'offsetSeconds') return this.offset;
    return undefined;
  }
}

const two = (n: number) => String(n).padStart(2, '0');

export function dateText(days: number): string {
  const { year, month, day } = calendarDay(days);
  const sign = year < 0 ? '-' : year > 9999 ? '+' : '';
  return `${sign}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** Seconds are always there; the fraction has 0, 3, 6 or 9 digits. */
export function timeText(nanos: number): string {
  const seconds = Math.floor(nanos / NANOS_PER_SECOND);
  const fraction = nanos % NANOS_PER_SECOND;
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (fraction === 0) return clock;
  const digits = String(fraction).padStart(9, '0');
  const length = fraction % 1e6 === 0 ? 3 : fraction % 1e3 === 0 ? 6 : 9;
  return `${clock}.${digits.slice(0, length)}`;
}

export function compareTemporals(a: Temporal, b: Temporal): number {
  return a.seconds - b.seconds || a.nanoOfSecond - b.nanoOfSecond;
}
