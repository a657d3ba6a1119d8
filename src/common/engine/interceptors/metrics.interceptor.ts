import { Interceptor } from '../api/interceptor.js';
import type { StepInfo } from '../api/interceptor.js';
import type { Exchange } from '../model/exchange.js';

/** Counts attempts of steps. Called for every attempt: an implementation adds numbers and does nothing else. */
export interface StepMeter {
  attempted(step: StepInfo, failed: boolean, milliseconds: number): void;
}

/** Feeds the meter once per attempt, so that retries show as what they are. */
export class MetricsInterceptor extends Interceptor {
  readonly name = 'metrics';

  constructor(private readonly meter: StepMeter) {
    super();
  }

  intercept(exchange: Exchange, step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
    const from = performance.now();
    let pending: void | Promise<void>;
    try {
      pending = next();
    } catch (thrown) {
      this.meter.attempted(step, true, performance.now() - from);
      throw thrown;
    }
    if (pending !== undefined) return this.#later(exchange, step, from, pending);
    this.meter.attempted(step, exchange.failure !== null, performance.now() - from);
  }

  /** Apart, so that a synchronous step makes no closures. */
  #later(exchange: Exchange, step: StepInfo, from: number, pending: Promise<void>): Promise<void> {
    return pending.then(
      () => this.meter.attempted(step, exchange.failure !== null, performance.now() - from),
      (thrown: unknown) => {
        this.meter.attempted(step, true, performance.now() - from);
        throw thrown;
      },
    );
  }
}
