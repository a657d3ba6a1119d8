import type { Exchange } from '../model/exchange.js';
import type { StepInfo } from './interceptor.js';
import type { Processor } from './processor.js';

/** Stands around every step: decides what a failure of `step` becomes (a retry, a dead letter, the failure itself). */
export interface ErrorHandler {
  wrap(step: StepInfo, target: Processor): Processor;
  /** After the pipeline ended with `exchange.failure` set; may clear it (handled). Never throws. */
  conclude?(exchange: Exchange): void | Promise<void>;
}
