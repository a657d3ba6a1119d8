import { HelixError } from '../../common/engine/errors/helix-error.js';

/**
 * The clock on the wall of a time zone. A reading is written as the milliseconds that the same date and time would have
 * in UTC, so that it can be counted with.
 */
export interface WallClock {
  reading(instant: number): number;
  /**
   * The instant of a reading: the first of two where the clock was set back, the one after the gap where it was set
   * forward over it.
   */
  instant(reading: number): number;
}

const utc: WallClock = { reading: (instant) => instant, instant: (reading) => reading };

/** @throws HelixError `WORKSPACE.WRONG_OPTION` for a time zone that is not in the IANA database */
export function wallClock(zone: string): WallClock {
  if (zone === 'UTC') return utc;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (cause) {
    throw new HelixError(
      'WORKSPACE.WRONG_OPTION',
      `The option "time-zone" must be a name such as UTC or Europe/Berlin; "${zone}" is none.`,
      { cause, details: { option: 'time-zone' } },
    );
  }
  const reading = (instant: number): number => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
  };
  return {
    reading,
    instant(wanted) {
      // Offsets change by less than a day: those of the day before and the day after are all there can be.
      const offsets = [wanted - 86_400_000, wanted + 86_400_000].map((near) => reading(near) - near);
      const candidates = offsets.map((offset) => wanted - offset).sort((a, b) => a - b);
      return candidates.find((instant) => reading(instant) === wanted) ?? candidates.at(-1) ?? wanted;
    },
  };
}
