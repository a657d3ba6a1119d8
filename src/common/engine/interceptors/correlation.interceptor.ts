import { Interceptor } from '../api/interceptor.js';
import type { StepInfo } from '../api/interceptor.js';
import type { Exchange } from '../model/exchange.js';

/** Headers in which a caller names its request, first found wins. */
const CALLERS_ID = ['x-request-id', 'x-correlation-id'] as const;
/** What is taken over from outside goes into every log line: short, and nothing that could forge a line. */
const HARMLESS = /^[A-Za-z0-9._:-]{1,128}$/;

/** Gives an exchange that came with a request id of its caller that id, so that both sides' logs can be joined. */
export class CorrelationInterceptor extends Interceptor {
  readonly name = 'correlation';
  override readonly scope = 'step';

  intercept(exchange: Exchange, _step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
    // Headers first: comparing two ids makes the engine of JavaScript join the pieces they were made of.
    if (exchange.headers.size > 0 && exchange.correlationId === exchange.id) adopt(exchange);
    return next();
  }
}

function adopt(exchange: Exchange): void {
  for (const name of CALLERS_ID) {
    const given = exchange.headers.get(name);
    if (typeof given === 'string' && HARMLESS.test(given)) {
      exchange.correlationId = given;
      return;
    }
  }
}
