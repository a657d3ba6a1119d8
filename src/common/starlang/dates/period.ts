import { Box } from '../values/box.js';
import { calendarDay, daysInMonth } from './calendar.js';
import { NANOS_PER_SECOND, type Temporal } from './temporal.js';

/** An amount of calendar time, of clock time, or of both. */
export class Period extends Box {
  readonly typeName = 'Period';

  constructor(
    readonly years: number,
    readonly months: number,
    readonly days: number,
    readonly seconds: number,
    /** Below a second, never negative: -1.5 s is -2 s and half a second of nanos. */
    readonly nanos = 0,
    /** `PT…`: clock time only. */
    readonly clock = years === 0 && months === 0 && days === 0 && (seconds !== 0 || nanos !== 0),
  ) {
    super();
  }

  static duration(seconds: number, nanos = 0): Period {
    const carry = Math.floor(nanos / NANOS_PER_SECOND);
    return new Period(0, 0, 0, seconds + carry, nanos - carry * NANOS_PER_SECOND, true);
  }

  negated(): Period {
    const back = this.nanos === 0 ? 0 : 1;
    const nanos = this.nanos === 0 ? 0 : NANOS_PER_SECOND - this.nanos;
    return new Period(
      0 - this.years,
      0 - this.months,
      0 - this.days,
      0 - this.seconds - back,
      nanos,
      this.clock,
    );
  }

  addTo(temporal: Temporal): Temporal {
    return temporal.plus(this.years * 12 + this.months, this.days, this.seconds, this.nanos);
  }

  get totalMonths(): number {
    return this.years * 12 + this.months;
  }
  /** Days as 24 hours, months left out. */
  get totalSeconds(): number {
    return this.days * 86_400 + this.seconds;
  }

  override toString(): string {
    const date =
      (this.years ? `${this.years}Y` : '') +
      (this.months ? `${this.months}M` : '') +
      (this.days ? `${this.days}D` : '');
    const time = clockText(this.seconds, this.nanos);
    if (this.clock) return `PT${time || '0S'}`;
    return time ? `P${date}T${time}` : `P${date || '0D'}`;
  }

  /** As the selectors `.years`, `.hours` … give it: each the part below the next larger unit. */
  part(name: string): number | undefined {
    const sign = this.seconds < 0 ? -1 : 1;
    const seconds = Math.abs(this.seconds);
    switch (name) {
      case 'years':
        return this.years;
      case 'months':
        return this.months;
      case 'days':
        return this.days + sign * (this.clock ? Math.floor(seconds / 86_400) : 0);
      case 'hours':
        return sign * (Math.floor(seconds / 3600) % 24);
      case 'minutes':
        return sign * (Math.floor(seconds / 60) % 60);
      case 'secs':
      case 'seconds':
        return sign * (seconds % 60);
      case 'nanos':
      case 'nanoseconds':
        return this.nanos;
      default:
        return undefined;
    }
  }
}

function clockText(seconds: number, nanos: number): string {
  if (seconds === 0 && nanos === 0) return '';
  const total = seconds < 0 && nanos > 0 ? seconds + 1 : seconds;
  const hours = Math.trunc(total / 3600);
  const minutes = Math.trunc((total % 3600) / 60);
  const rest = total % 60;
  let text = (hours ? `${hours}H` : '') + (minutes ? `${minutes}M` : '');
  if (rest !== 0 || nanos !== 0) {
    const fraction = seconds < 0 && nanos > 0 ? NANOS_PER_SECOND - nanos : nanos;
    const sign = seconds < 0 && rest === 0 && fraction > 0 ? '-' : '';
    const digits = fraction ? `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}` : '';
    text += `${sign}${rest}${digits}S`;
  }
  return text;
}

const ISO =
  /^([+-])?P(?:([+-]?\d+)Y)?(?:([+-]?\d+)M)?(?:([+-]?\d+)W)?(?:([+-]?\d+)D)?(?:T(?:([+-]?\d+)H)?(?:([+-]?\d+)M)?(?:([+-]?\d+)(?:[.,](\d{1,9}))?S)?)?$/;

/** `P1Y2M3DT4H5M6.7S`; undefined when it is none. */
export function parsePeriod(text: string): Period | undefined {
  const found = ISO.exec(text);
  if (!found || /[PT]$/.test(text)) return undefined;
  const at = (index: number) => Number(found[index] ?? 0);
  const negativeSecond = found[8]?.startsWith('-');
  const fraction = Number((found[9] ?? '').padEnd(9, '0')) * (negativeSecond ? -1 : 1);
  const carry = Math.floor(fraction / NANOS_PER_SECOND);
  const seconds = at(6) * 3600 + at(7) * 60 + at(8) + carry;
  const clock = text.includes('PT');
  const period = new Period(
    at(2),
    at(3),
    at(4) * 7 + at(5),
    seconds,
    fraction - carry * NANOS_PER_SECOND,
    clock,
  );
  return found[1] === '-' ? period.negated() : period;
}

/** Full years, months and days from one date to a later one, negative when it is earlier. */
export function datePeriodBetween(from: Temporal, to: Temporal): Period {
  const a = calendarDay(from.day);
  const b = calendarDay(to.day);
  let months = b.year * 12 + b.month - (a.year * 12 + a.month);
  let days = b.day - a.day;
  if (months > 0 && days < 0) {
    months--;
    const year = Math.floor((a.year * 12 + a.month - 1 + months) / 12);
    const month = a.year * 12 + a.month - 1 + months - year * 12 + 1;
    days = b.day + daysInMonth(year, month) - Math.min(a.day, daysInMonth(year, month));
  } else if (months < 0 && days > 0) {
    months++;
    days -= daysInMonth(b.year, b.month);
  }
  return new Period(Math.trunc(months / 12), months % 12, days, 0);
}

/** Clock time from one temporal to another. */
export function durationBetween(from: Temporal, to: Temporal): Period {
  return Period.duration(to.seconds - from.seconds, to.nanoOfSecond - from.nanoOfSecond);
}
