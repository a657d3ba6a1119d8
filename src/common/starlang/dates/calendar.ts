/** Proleptic Gregorian calendar on days since 1970-01-01. */
export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

export const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (LENGTHS[month - 1] ?? 31);
}

/** Days since the epoch of a date whose parts are in range. */
export function epochDay(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function calendarDay(days: number): CalendarDay {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** 1 is Monday. */
export const dayOfWeek = (days: number) => ((((days + 3) % 7) + 7) % 7) + 1;

export const dayOfYear = (days: number) => days - epochDay(calendarDay(days).year, 1, 1) + 1;

/** The day `months` later; a day beyond the month's end becomes its last day. */
export function plusMonths(days: number, months: number): number {
  if (months === 0) return days;
  const { year, month, day } = calendarDay(days);
  const total = year * 12 + month - 1 + months;
  const y = Math.floor(total / 12);
  const m = total - y * 12 + 1;
  return epochDay(y, m, Math.min(day, daysInMonth(y, m)));
}
