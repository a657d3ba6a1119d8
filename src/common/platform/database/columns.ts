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

/**
 * For free-form JSON that must come back as it went in: `@Column({ type: 'text', transformer: jsonText })`. `jsonb`
 * reorders members, rewrites numbers and refuses NUL and lone surrogates; text keeps all of it.
 */
export const jsonText: ValueTransformer = {
  from: (stored: string | null): unknown => (stored === null ? null : (JSON.parse(stored) as unknown)),
  to: (value: unknown) => (value === null || value === undefined ? value : JSON.stringify(value)),
};
