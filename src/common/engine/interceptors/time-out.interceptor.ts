import { untilAborted } from '../api/abort.js';
import { Interceptor } from '../api/interceptor.js';
import type { StepInfo } from '../api/interceptor.js';
import type { Exchange } from '../model/exchange.js';

/**
 * Stops waiting for a step as soon as the exchange is aborted (workflow time-out, caller gone, hard stop), even where the
 * step itself does not listen to the signal: a time-out always lands.
 */
export class TimeOutInterceptor extends Interceptor {
  readonly name = 'time-out';

  intercept(exchange: Exchange, _step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
    // Read first: a step that calls another workflow puts that one's own time-out on the exchange meanwhile.
    const { signal } = exchange;
    const pending = next();
    if (pending !== undefined) return untilAborted(pending, signal);
  }
}
