import type { Processor } from '../api/processor.js';
import type { HelixError } from '../errors/helix-error.js';
import { journey, type Exchange } from '../model/exchange.js';

/**
 * Does the steps that deal with a failure. It is data meanwhile, readable as `error`, and no failure of the exchange, so
 * that steps run at all; afterwards whatever failure was being dealt with around it is readable again.
 */
export function dealWith(exchange: Exchange, failure: HelixError, steps: Processor): void | Promise<void> {
  const { caught, failedAt } = exchange;
  const mine = exchange[journey];
  exchange.handle(failure);
  const restore = (): void => {
    if (exchange[journey] !== mine) return;
    exchange.caught = caught;
    if (caught !== null && exchange.failure === null) exchange.placed(caught, failedAt);
  };
  const pending = steps(exchange);
  if (pending === undefined) restore();
  else return pending.then(restore);
}
