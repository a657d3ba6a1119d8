import { untilAborted } from '../api/abort.js';
import { Interceptor } from '../api/interceptor.js';
import type { StepInfo } from '../api/interceptor.js';
import { journey, type Exchange, type Journey } from '../model/exchange.js';

/**
 * Stops waiting for a step as soon as the exchange is aborted (workflow time-out, caller gone, hard stop), even where the
 * step itself does not listen to the signal: a time-out always lands. The exchange is taken back from whatever still
 * works on it, so that an error handler can go on with it.
 */
export class TimeOutInterceptor extends Interceptor {
  readonly name = 'time-out';

  intercept(exchange: Exchange, _step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
    // Read first: a step that calls another workflow has the exchange stand in that one meanwhile.
    const here = exchange[journey];
    const { cancellation, workflowId, stepId, args, received } = exchange;
    const pending = next();
    if (pending === undefined) return;
    return bounded(exchange, pending, here, { cancellation, workflowId, stepId, args, received });
  }
}

type Standing = Pick<Exchange, 'cancellation' | 'workflowId' | 'stepId' | 'args' | 'received'>;

/** Apart, so that a synchronous step makes no closures. */
function bounded(
  exchange: Exchange,
  pending: Promise<void>,
  here: Journey | null,
  standing: Standing,
): Promise<void> {
  return untilAborted(pending, standing.cancellation, () => {
    exchange[journey] = here;
    Object.assign(exchange, standing);
  });
}
