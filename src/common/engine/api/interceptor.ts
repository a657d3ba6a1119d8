import type { Exchange } from '../model/exchange.js';
import type { Place } from '../model/source-node.js';

/** Which node of which workflow runs. */
export interface StepInfo {
  readonly workflowId: string;
  /** The step's `id`, or `keyword[n]` by place. */
  readonly stepId: string;
  readonly keyword: string;
  /** The target URI for steps that send, without secrets. */
  readonly uri?: string;
  /** Where the step is written; absent for what stands in no workspace file of its own. */
  readonly place?: Place;
}

/** Advice around every step. It observes or refuses; it never swallows a failure. */
export abstract class Interceptor {
  abstract readonly name: string;
  /** Around each attempt (inside retries) or once per step (outside them). */
  readonly scope: 'attempt' | 'step' = 'attempt';
  abstract intercept(
    exchange: Exchange,
    step: StepInfo,
    next: () => void | Promise<void>,
  ): void | Promise<void>;
}
