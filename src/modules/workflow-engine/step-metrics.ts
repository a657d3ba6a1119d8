import { Injectable } from '@nestjs/common';
import type { StepInfo } from '../../common/engine/api/interceptor.js';
import type { StepMeter } from '../../common/engine/interceptors/metrics.interceptor.js';
import {
  type Count,
  type Counter,
  type Histogram,
  Metrics,
  type Observer,
} from '../../common/platform/metrics/metrics.js';

/** What one step counts in. */
interface Row {
  readonly passed: Count;
  readonly failed: Count;
  readonly seconds: Observer;
}

/** Steps of workflows at `/metrics`. Labels come from the workspace's own words, so their number is bounded. */
@Injectable()
export class StepMetrics implements StepMeter {
  readonly #attempts: Counter;
  readonly #seconds: Histogram;
  /** A compiled step keeps its info for life: its series are found without their labels. */
  readonly #rows = new WeakMap<StepInfo, Row>();
  /** Workflows that the last reload removed. */
  #leaving: readonly string[] = [];

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

  attempted(step: StepInfo, failed: boolean, milliseconds: number): void {
    const row = this.#rows.get(step) ?? this.#row(step);
    (failed ? row.failed : row.passed).add(1);
    row.seconds.observe(milliseconds / 1000);
  }

  /**
   * Drops the series of workflows that a reload removed. Those of the reload before are looked at again: their last
   * exchanges may have counted since.
   */
  forget(removed: readonly string[], isThere: (workflowId: string) => boolean): void {
    for (const workflow of [...this.#leaving, ...removed]) {
      if (isThere(workflow)) continue;
      this.#attempts.forget({ workflow });
      this.#seconds.forget({ workflow });
    }
    this.#leaving = removed;
  }

  #row(step: StepInfo): Row {
    const { workflowId: workflow, keyword } = step;
    const row: Row = {
      passed: this.#attempts.of({ workflow, keyword, outcome: 'ok' }),
      failed: this.#attempts.of({ workflow, keyword, outcome: 'failed' }),
      seconds: this.#seconds.of({ workflow }),
    };
    this.#rows.set(step, row);
    return row;
  }
}
