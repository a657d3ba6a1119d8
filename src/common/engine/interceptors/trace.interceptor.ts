import { Interceptor } from '../api/interceptor.js';
import type { StepInfo } from '../api/interceptor.js';
import type { Log } from '../api/ports.js';
import { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';

/**
 * One line per step, retries included in its time. It tells which step, how long and which error code; never a body, a
 * header or an error's message, so that there is nothing in it to redact.
 */
export class TraceInterceptor extends Interceptor {
  readonly name = 'trace';
  override readonly scope = 'step';

  constructor(private readonly log: Log) {
    super();
  }

  intercept(exchange: Exchange, step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
    return this.log.isEnabled?.('debug') === false ? next() : this.#traced(exchange, step, next);
  }

  /** Apart, so that a step that nobody traces makes no closures. */
  #traced(exchange: Exchange, step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
    const from = performance.now();
    const passed = (): void => this.#tell(exchange, step, from, exchange.failure);
    const failed = (thrown: unknown): never => {
      this.#tell(exchange, step, from, HelixError.from(thrown));
      throw thrown;
    };
    let pending: void | Promise<void>;
    try {
      pending = next();
    } catch (thrown) {
      return failed(thrown);
    }
    if (pending === undefined) passed();
    else return pending.then(passed, failed);
  }

  #tell(exchange: Exchange, step: StepInfo, from: number, failure: HelixError | null): void {
    this.log.write('debug', failure === null ? 'step done' : 'step failed', {
      workflow: step.workflowId,
      step: step.stepId,
      exchange: exchange.id,
      correlation: exchange.correlationId,
      ms: Math.round((performance.now() - from) * 1000) / 1000,
      ...(failure === null ? {} : { code: failure.code }),
    });
  }
}
