/** What one run may use. Every excess ends the run with a `budget` problem that names the limit. */
export interface Limits {
  /** Lambda entries, loop turns and selector visits. */
  steps: number;
  /** Milliseconds of wall time. */
  timeMs: number;
  /** Nested function calls. */
  depth: number;
  /** Characters of one string, and characters of the written output. */
  textLength: number;
  /** Items of one array or entries of one object built by the script. */
  collectionSize: number;
}

export const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  steps: 50_000_000,
  timeMs: 10_000,
  depth: 256,
  textLength: 64 * 1024 * 1024,
  collectionSize: 5_000_000,
});
