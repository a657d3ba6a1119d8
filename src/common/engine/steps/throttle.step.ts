import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError } from '../errors/helix-error.js';
import type { StepNode } from '../model/workflow-definition.js';
import { Turnstile } from './turnstile.js';

/** Keys come from messages: whoever invents them must not fill the memory. */
const MOST_KEYS = 10_000;

const shape = {
  rate: fields.integer('How many messages pass.', undefined, { minimum: 1, shorthand: true }),
  per: fields.duration('Within how long.', 1000),
  key: fields.expression('Counts apart for each value of this; without it all together.', { optional: true }),
  'max-waiting': fields.integer('How many may wait in line; one more fails. 0 = nobody waits.', 1000, {
    minimum: 0,
  }),
};

export class ThrottleStep extends StepType {
  readonly keyword = 'throttle';
  readonly description = 'Lets so many messages pass within a time; the others wait in line.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { rate, per, key, 'max-waiting': mostWaiting } = build.read(node, shape);
    const turnstiles = new Map<string, Turnstile>();
    const turnstileOf = (name: string): Turnstile => {
      let turnstile = turnstiles.get(name);
      if (turnstile !== undefined) return turnstile;
      if (turnstiles.size >= MOST_KEYS) dropIdle(turnstiles);
      if (turnstiles.size >= MOST_KEYS) throw tooMany('Too many different keys are throttled at once.', per);
      turnstile = new Turnstile(rate, per, build.clock);
      turnstiles.set(name, turnstile);
      return turnstile;
    };
    return (exchange) => {
      const turnstile = turnstileOf(key === null ? '' : (JSON.stringify(key.evaluate(exchange)) ?? ''));
      const wait = turnstile.expectedWait;
      if (wait > 0 && turnstile.waiting >= mostWaiting) {
        throw tooMany(`More than ${rate} messages within ${per} ms, and the line is full.`, wait);
      }
      return turnstile.enter(exchange.cancellation);
    };
  }
}

function dropIdle(turnstiles: Map<string, Turnstile>): void {
  for (const [name, turnstile] of turnstiles) if (turnstile.isIdle) turnstiles.delete(name);
}

function tooMany(message: string, waitMs: number): HelixError {
  return new HelixError('ENGINE.OVERLOADED', message, {
    details: { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
  });
}
