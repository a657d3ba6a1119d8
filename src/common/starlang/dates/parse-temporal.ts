import { coercionFault } from '../errors/fault.js';
import { dayOfWeek, daysInMonth, epochDay } from './calendar.js';
import { halfDay, localeOf, monthName, weekdayName } from './names.js';
import { readPattern, type PatternPart } from './pattern.js';
import { NANOS_PER_SECOND, Temporal, type TemporalKind } from './temporal.js';
import { Zone } from './zone.js';

export type ParseMode = 'SMART' | 'STRICT' | 'LENIENT';
type Fields = Partial<Record<string, number>> & { zone?: Zone };

/** Reads a temporal of the wanted kind by a Java date pattern. */
export function parseByPattern(
  text: string,
  pattern: string,
  kind: TemporalKind,
  { locale, mode = 'SMART' }: { locale?: string | undefined; mode?: ParseMode } = {},
): Temporal {
  const fields: Fields = {};
  const end = readParts(text, 0, readPattern(pattern), fields, localeOf(locale));
  if (end !== text.length)
    throw coercionFault(
      `"${text}" does not match the pattern "${pattern}" (at character ${Math.abs(end) + 1})`,
    );
  const found = assemble(fields, kind, mode);
  if (!found) throw coercionFault(`"${text}" read by "${pattern}" makes no ${kind}`);
  return found;
}

/** Where reading ended; when it broke, the place as a negative number minus one. */
function readParts(text: string, from: number, parts: PatternPart[], fields: Fields, locale: string): number {
  let at = from;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'optional') {
      const tried: Fields = { ...fields };
      const end = readParts(text, at, part.parts, tried, locale);
      if (end >= 0) {
        Object.assign(fields, tried);
        at = end;
      }
    } else if (part.kind === 'text') {
      if (!text.startsWith(part.text, at)) return -at - 1;
      at += part.text.length;
    } else {
      const next = parts[index + 1];
      const adjacent = next?.kind === 'field' && isNumeric(next);
      const end = readField(text, at, part, fields, locale, adjacent);
      if (end < 0) return -at - 1;
      at = end;
    }
  }
  return at;
}

type Field = Extract<PatternPart, { kind: 'field' }>;

function isNumeric({ letter, count }: Field): boolean {
  if ('MLecQq'.includes(letter)) return count <= 2;
  return 'uyYDdwWhHkKmsSAnNF'.includes(letter);
}

function readField(
  text: string,
  at: number,
  part: Field,
  fields: Fields,
  locale: string,
  adjacent: boolean,
): number {
  const { letter, count } = part;
  if (isNumeric(part)) {
    const most =
      adjacent || letter === 'S'
        ? count
        : 'uyY'.includes(letter)
          ? Math.max(count, count === 2 ? 2 : 9)
          : Math.max(count, 'D'.includes(letter) ? 3 : 'AnN'.includes(letter) ? 18 : 2);
    const digits = new RegExp(`[+-]?\\d{1,${most}}`, 'y');
    digits.lastIndex = at;
    const found = digits.exec(text)?.[0];
    if (found === undefined || (found.length < count && (letter !== 'S' || adjacent))) return -1;
    let value = Number(found);
    if (letter === 'S') value = Number(found.padEnd(9, '0').slice(0, 9));
    if ('uyY'.includes(letter) && count === 2) value += 2000;
    fields[letter === 'L' ? 'M' : letter === 'Y' || letter === 'u' ? 'y' : letter] = value;
    return at + found.length;
  }
  return 'VvzOXxZ'.includes(letter) ? readZone(text, at, fields) : readName(text, at, part, fields, locale);
}

function readZone(text: string, at: number, fields: Fields): number {
  const found = /^(?:(?:GMT|UTC)?[+-]\d{1,2}(?::?\d{2}(?::?\d{2})?)?|[A-Za-z][A-Za-z0-9_/+-]*)/.exec(
    text.slice(at),
  )?.[0];
  const zone = found === undefined ? undefined : Zone.of(found);
  if (!found || !zone) return -1;
  fields.zone = zone;
  return at + found.length;
}

function readName(
  text: string,
  at: number,
  { letter, count }: Field,
  fields: Fields,
  locale: string,
): number {
  const style = count >= 5 ? 'narrow' : count === 4 ? 'long' : 'short';
  const lower = text.slice(at, at + 40).toLowerCase();
  const pick = (names: string[]): number => {
    let best = -1;
    for (const [index, name] of names.entries())
      if (name && lower.startsWith(name.toLowerCase()) && name.length > (names[best]?.length ?? 0))
        best = index;
    return best;
  };
  const twelve = Array.from({ length: 12 }, (_, i) => i + 1);
  let names: string[];
  let field: string;
  if (letter === 'M' || letter === 'L') {
    names = twelve.map((month) => monthName(month, style, locale).replace(/\.$/, ''));
    field = 'M';
  } else if ('Eec'.includes(letter)) {
    names = twelve.slice(0, 7).map((day) => weekdayName(day, style, locale));
    field = 'weekday';
  } else if (letter === 'a') {
    names = [halfDay(false, locale), halfDay(true, locale)];
    field = 'a';
    if (pick(names) < 0) names = ['am', 'pm'];
  } else if (letter === 'G') {
    names = ['BC', 'AD'];
    field = 'G';
  } else return -1;
  const index = pick(names);
  if (index < 0) return -1;
  fields[field] = field === 'M' || field === 'weekday' ? index + 1 : index;
  return at + (names[index] ?? '').length;
}

function assemble(fields: Fields, kind: TemporalKind, mode: ParseMode): Temporal | undefined {
  const day = dayFrom(fields, mode);
  const nanos = nanosFrom(fields);
  if (nanos === undefined) return undefined;
  if (kind === 'Date') return day === undefined ? undefined : Temporal.date(day);
  if (kind === 'LocalTime') return Temporal.localTime(nanos);
  if (kind === 'Time') return Temporal.time(nanos, fields.zone ?? Zone.utc);
  if (day === undefined) return undefined;
  if (kind === 'LocalDateTime') return Temporal.localDateTime(day, nanos);
  return Temporal.dateTime(day, nanos, fields.zone ?? Zone.utc);
}

function dayFrom(fields: Fields, mode: ParseMode): number | undefined {
  const year = fields.y;
  if (year === undefined) return undefined;
  if (fields.D !== undefined) return epochDay(year, 1, 1) + fields.D - 1;
  if (fields.w !== undefined && fields.M === undefined) {
    const first = epochDay(year, 1, 1);
    return first - (dayOfWeek(first) % 7) + (fields.w - 1) * 7 + ((fields.weekday ?? 1) % 7);
  }
  const month = fields.M ?? 1;
  const day = fields.d ?? 1;
  if (mode === 'LENIENT') {
    const years = year + Math.floor((month - 1) / 12);
    return epochDay(years, ((((month - 1) % 12) + 12) % 12) + 1, 1) + day - 1;
  }
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const last = daysInMonth(year, month);
  if (day > last && mode === 'STRICT') return undefined;
  return epochDay(year, month, Math.min(day, last));
}

function nanosFrom(fields: Fields): number | undefined {
  if (fields.N !== undefined) return fields.N;
  if (fields.A !== undefined) return fields.A * 1e6;
  let hour = fields.H ?? (fields.k === undefined ? undefined : fields.k % 24);
  const half = fields.h === undefined ? fields.K : fields.h % 12;
  hour ??= half === undefined ? 0 : half + (fields.a ?? 0) * 12;
  const [minute, second] = [fields.m ?? 0, fields.s ?? 0];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return (hour * 3600 + minute * 60 + second) * NANOS_PER_SECOND + (fields.S ?? fields.n ?? 0);
}
