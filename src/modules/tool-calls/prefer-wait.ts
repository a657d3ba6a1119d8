const longestSeconds = 30;

/**
 * `Prefer: wait=N` (RFC 7240, section 4.3) in milliseconds; undefined where it is not there or not from 0 to 30: a
 * preference that cannot be met is passed over, not refused.
 */
export function preferredWaitMs(prefer: string | undefined): number | undefined {
  for (const preference of (prefer ?? '').split(/[,;]/)) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,3})"?\s*$/i.exec(preference) ?? [];
    if (seconds !== undefined && Number(seconds) <= longestSeconds) return Number(seconds) * 1000;
  }
  return undefined;
}
