import { Injectable } from '@nestjs/common';
import type { StepInfo } from '../../common/engine/api/interceptor.js';
import type { StepMeter } from '../../common/engine/interceptors/metrics.interceptor.js';
import { type Counter, type Histogram, Metrics } from '../../common/platform/metrics/metrics.js';

/** Steps of workflows at `/metrics`. Labels come from the workspace's own words, so their number is bounded. */
@Injectable()
export class StepMetrics implements StepMeter {
  readonly #attempts: Counter;
  readonly #seconds: Histogram;

  constructor(metrics: Metrics) {
    this.#attempts = metrics.counter(
      'helix_step_attempts_total',
      'Attempts of workflow steps, retries included.',
      ['workflow', 'keyword', 'outcome'],
    );
    this.#seconds = metrics.histogram('helix_step_seconds', 'How long attempts of workflow steps took.', [
      'workflow',
    ]);
  }

  attempted({ workflowId, keyword }: StepInfo, failed: boolean, milliseconds: number): void {
    this.#attempts.add(1, { workflow: workflowId, keyword, outcome: failed ? 'failed' : 'ok' });
    this.#seconds.observe(milliseconds / 1000, { workflow: workflowId });
  }
}
