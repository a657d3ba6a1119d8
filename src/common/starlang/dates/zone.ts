import { Box } from '../values/box.js';

/** A fixed offset or a region of the time zone database. */
export class Zone extends Box {
  readonly typeName = 'TimeZone';

  private constructor(
    readonly id: string,
    /** Seconds east of UTC; undefined for a region. */
    readonly fixed: number | undefined,
  ) {
    super();
  }

  static readonly utc = new Zone('Z', 0);

  static offset(seconds: number): Zone {
    return seconds === 0 ? Zone.utc : new Zone(offsetText(seconds), seconds);
  }

  /** `Z`, `+01:00`, `-0300`, `GMT+1`, `Europe/Rome`; undefined when unknown. */
  static of(id: string): Zone | undefined {
    const text = id.trim();
    if (text === 'Z' || text === 'UTC' || text === 'GMT') return text === 'Z' ? Zone.utc : new Zone(text, 0);
    const found = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?$/.exec(text);
    if (found) {
      const seconds = Number(found[2]) * 3600 + Number(found[3] ?? 0) * 60 + Number(found[4] ?? 0);
      return seconds > 18 * 3600 ? undefined : Zone.offset(found[1] === '-' ? -seconds : seconds);
    }
    return regionFormat(text) ? new Zone(text, undefined) : undefined;
  }

  /** Seconds east of UTC at an instant given in seconds since the epoch. */
  offsetAt(epochSeconds: number): number {
    return this.fixed ?? regionOffset(this.id, epochSeconds);
  }

  /** For a wall-clock time; in a gap or overlap the offset before the change, as Java does. */
  offsetForLocal(localSeconds: number): number {
    if (this.fixed !== undefined) return this.fixed;
    const before = this.offsetAt(localSeconds - 86_400);
    if (this.offsetAt(localSeconds - before) === before) return before;
    const after = this.offsetAt(localSeconds + 86_400);
    return this.offsetAt(localSeconds - after) === after ? after : before;
  }
}

const two = (n: number) => String(n).padStart(2, '0');

export function offsetText(seconds: number, zero = 'Z'): string {
  if (seconds === 0 && zero) return zero;
  const abs = Math.abs(seconds);
  const rest = abs % 60;
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(abs / 3600))}:${two(Math.floor(abs / 60) % 60)}${rest ? `:${two(rest)}` : ''}`;
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();
const MOST_FORMATS = 1000;

function regionFormat(id: string): Intl.DateTimeFormat | undefined {
  if (formats.has(id)) return formats.get(id);
  let format: Intl.DateTimeFormat | undefined;
  if (/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(id)) {
    try {
      format = new Intl.DateTimeFormat('en-US', {
        timeZone: id,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    } catch {
      format = undefined;
    }
  }
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(id, format);
  return format;
}

function regionOffset(id: string, epochSeconds: number): number {
  const format = regionFormat(id);
  if (!format) return 0;
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(epochSeconds * 1000)) parts[type] = value;
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const utc = new Date(0);
  utc.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  utc.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return Math.round(utc.getTime() / 1000) - Math.floor(epochSeconds);
}
