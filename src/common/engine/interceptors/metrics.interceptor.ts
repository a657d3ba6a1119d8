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
    const failed = (thrown: unknown): never => {
      this.meter.attempted(step, true, performance.now() - from);
      throw thrown;
    };
    let pending: void | Promise<void>;
    try {
      pending = next();
    } catch (thrown) {
      return failed(thrown);
    }
    const passed = (): void =>
      this.meter.attempted(step, exchange.failure !== null, performance.now() - from);
    if (pending === undefined) passed();
    else return pending.then(passed, failed);
  }
}
