/** What one run may use. Every excess ends the run with a `budget` problem that names the limit. */
export interface Limits {
  /** Lambda entries, loop turns and selector visits. */
  steps: number;
  /** Milliseconds of wall time. */
  timeMs: number;
  /** Nested function calls. */
  depth: number;
  /**
   * What a run makes, all told and whether or not it is still in use: a character, a byte and a digit count
   * one, a cell of an array or object {@link CELL}. Texts that share their characters count what is new.
   */
  memory: number;
  /** Characters of one string, and characters of the written output. */
  textLength: number;
  /** Items of one array or entries of one object built by the script. */
  collectionSize: number;
}

/** What a cell costs of {@link Limits.memory}: about its bytes. */
export const CELL = 8;

export const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  steps: 50_000_000,
  timeMs: 10_000,
  depth: 256,
  memory: 128 * 1024 * 1024,
  textLength: 32 * 1024 * 1024,
  collectionSize: 5_000_000,
});
