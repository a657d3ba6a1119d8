import type { ValueTransformer } from 'typeorm';

/**
 * For `bigint` columns that hold money or counts: `@Column({ type: 'bigint', transformer: safeInteger })`. PostgreSQL
 * sends them as text; they become numbers as long as numbers are exact (±(2^53−1)).
 * @throws RangeError for what a number cannot hold, in both directions
 */
export const safeInteger: ValueTransformer = {
  from: (stored: string | number | null) => (stored === null ? null : exact(Number(stored))),
  to: (value: unknown) => (typeof value === 'number' ? exact(value) : value),
};

function exact(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('The number is beyond ±(2^53−1) or not whole.');
  return value;
}
