import type { Predicate } from '../api/expression.js';
import * as fields from '../api/fields/index.js';
import type { ShapeValues } from '../api/fields/index.js';
import type { HelixError } from '../errors/helix-error.js';

/** How often and how patiently a failed step is tried again. */
export interface RetryPolicy {
  readonly retries: number;
  readonly delayMs: number;
  readonly backoff: 'fixed' | 'exponential';
  readonly multiplier: number;
  readonly maxDelayMs: number;
  /** Share of the delay that is left to chance, 0 to 1. */
  readonly jitter: number;
  readonly retryWhile: Predicate | null;
}

export const retryShape = {
  retries: fields.integer('How many times a failed step is tried again.', null, {
    minimum: 0,
    maximum: 1000,
  }),
  delay: fields.duration('How long to wait before the first retry.', 1000),
  backoff: fields.choice(
    'Whether the wait stays or grows with each retry.',
    ['fixed', 'exponential'],
    'fixed',
  ),
  multiplier: fields.number('By how much an exponential wait grows each time.', 2, { minimum: 1 }),
  'max-delay': fields.duration('The longest wait between two retries.', 60_000),
  jitter: fields.number('Share of each wait that is left to chance, 0 to 1.', 0, { minimum: 0, maximum: 1 }),
  'retry-while': fields.predicate('Try again only while this holds; the failure is readable as error.', {
    optional: true,
  }),
} as const;

/** Null where the table says nothing of retries. */
export function retryPolicy(values: ShapeValues<typeof retryShape>): RetryPolicy | null {
  if (values.retries === null) return null;
  return {
    retries: values.retries,
    delayMs: values.delay,
    backoff: values.backoff,
    multiplier: values.multiplier,
    maxDelayMs: values['max-delay'],
    jitter: values.jitter,
    retryWhile: values['retry-while'],
  };
}

/** The wait before retry `turn` (1 is the first), in milliseconds. `chance` lies in [0, 1). */
export function delayBefore(turn: number, policy: RetryPolicy, chance: number): number {
  const growth = policy.backoff === 'exponential' ? policy.multiplier ** (turn - 1) : 1;
  const wait = Math.min(policy.delayMs * growth, policy.maxDelayMs);
  return wait * (1 - policy.jitter * chance);
}

/** A failure that is the request's own fault fails again however often it is tried: no retry that nobody asked for. */
export function isPointless({ meaning }: HelixError): boolean {
  return meaning.http < 500 && meaning.retry === 'never';
}
