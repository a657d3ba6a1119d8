import { epochDay } from './calendar.js';

type Style = 'long' | 'short' | 'narrow';
const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 500;

function part(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  type: string,
  day: number,
  hour = 0,
): string {
  const key = `${locale}|${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) {
    try {
      format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    } catch {
      format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
    }
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(key, format);
  }
  const date = new Date(day * 86_400_000 + hour * 3_600_000);
  return format.formatToParts(date).find((found) => found.type === type)?.value ?? '';
}

/** `pt_BR` and `pt-BR` both name a locale. */
export const localeOf = (name: string | undefined) => (name ? name.replaceAll('_', '-') : 'en-US');

export function monthName(month: number, style: Style, locale: string, alone = false): string {
  const options: Intl.DateTimeFormatOptions = alone ? { month: style } : { month: style, day: 'numeric' };
  return part(locale, options, 'month', epochDay(2024, month, 15));
}

/** 1 is Monday. */
export function weekdayName(day: number, style: Style, locale: string): string {
  return part(locale, { weekday: style }, 'weekday', epochDay(2024, 1, day));
}

export function halfDay(afternoon: boolean, locale: string): string {
  const text = part(locale, { hour: 'numeric', hour12: true }, 'dayPeriod', 0, afternoon ? 15 : 3);
  return text.replaceAll('\u202f', ' ') || (afternoon ? 'PM' : 'AM');
}
