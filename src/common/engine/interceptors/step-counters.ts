import type { StepInfo } from '../api/interceptor.js';
import type { StepMeter } from './metrics.interceptor.js';

export interface StepCount {
  readonly workflowId: string;
  readonly stepId: string;
  readonly attempts: number;
  readonly failures: number;
  readonly milliseconds: number;
}

interface Row {
  readonly step: StepInfo;
  attempts: number;
  failures: number;
  milliseconds: number;
}

/** Counters in memory, one row per step, for a metrics page or a test to read. */
export class StepCounters implements StepMeter {
  readonly #rows = new Map<string, Row>();
  /** A compiled step keeps its info for life: the row is found without building its key. */
  readonly #byInfo = new WeakMap<StepInfo, Row>();

  attempted(step: StepInfo, failed: boolean, milliseconds: number): void {
    const row = this.#byInfo.get(step) ?? this.#row(step);
    row.attempts++;
    if (failed) row.failures++;
    row.milliseconds += milliseconds;
  }

  snapshot(): readonly StepCount[] {
    return [...this.#rows.values()].map(({ step, attempts, failures, milliseconds }) => ({
      workflowId: step.workflowId,
      stepId: step.stepId,
      attempts,
      failures,
      milliseconds,
    }));
  }

  #row(step: StepInfo): Row {
    const key = JSON.stringify([step.workflowId, step.stepId]);
    let row = this.#rows.get(key);
    if (!row) this.#rows.set(key, (row = { step, attempts: 0, failures: 0, milliseconds: 0 }));
    this.#byInfo.set(step, row);
    return row;
  }
}
