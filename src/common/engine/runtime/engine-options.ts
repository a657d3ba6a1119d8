import type { Component } from '../api/component.js';
import type { ExpressionLanguage } from '../api/expression.js';
import type { Interceptor } from '../api/interceptor.js';
import type { Clock, IdSource, Log, SchemaValidator, Witness } from '../api/ports.js';
import type { StepType } from '../api/step-type.js';
import type { Place } from '../model/source-node.js';

/** What an engine is made of. */
export interface EngineOptions {
  readonly components: readonly Component[];
  readonly steps: readonly StepType[];
  /** Outermost first; usually `engineChain(…)` of `engine-chain.ts`. */
  readonly interceptors: readonly Interceptor[];
  readonly language: ExpressionLanguage;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  /** Checks `input-schema`; without one a workspace that needs it does not start. */
  readonly validator?: SchemaValidator;
  /** In [0, 1), for the jitter of retries; default the machine's. */
  readonly random?: () => number;
  readonly witness?: Witness;
  /** Looks for mistakes in interceptors (next called twice, a forgotten await) at some cost. */
  readonly development?: boolean;
}

/** One workflow that listens. */
export interface StartedWorkflow {
  readonly workflowId: string;
  /** The trigger, without secrets. */
  readonly from: string;
  /** Where it listens, for consumers that listen on the network. */
  readonly address: string | null;
  readonly place: Place;
}

export interface StartReport {
  readonly started: readonly StartedWorkflow[];
  readonly disabled: readonly string[];
  readonly warnings: readonly string[];
}

/** An exchange that still ran when the time to drain was over. */
export interface StuckExchange {
  readonly exchangeId: string;
  readonly workflowId: string;
  readonly stepId: string | null;
  readonly ageMs: number;
}

export interface StopReport {
  readonly stuck: readonly StuckExchange[];
}
