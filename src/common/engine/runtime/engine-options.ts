import type { Component } from '../api/component.js';
import type { ExpressionLanguage } from '../api/expression.js';
import type { Interceptor } from '../api/interceptor.js';
import type { Clock, IdSource, Log, SchemaValidator, Witness } from '../api/ports.js';
import type { StepType } from '../api/step-type.js';
import type { WorkflowInfo } from '../api/workflow-directory.js';
import type { HelixError } from '../errors/helix-error.js';
import type { Place } from '../model/source-node.js';
import type { WorkflowCounts } from './workflow-counters.js';

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

/** What a reload did, by the ids of workflows. */
export interface ReloadReport {
  /** The version that counts now. */
  readonly version: number;
  readonly added: readonly string[];
  /** They run as written now; exchanges that were on their way finish as it was written before. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** They were not touched. */
  readonly unchanged: readonly string[];
  /** Those of `added` and `changed` that listen. */
  readonly started: readonly StartedWorkflow[];
  readonly warnings: readonly string[];
}

/** A workflow and how it fares. */
export interface WorkflowStatus extends WorkflowInfo {
  /** The version of the workspace in which it was added or changed last. */
  readonly version: number;
  /** Where it listens, for triggers that listen on the network. */
  readonly address: string | null;
  readonly place: Place;
  /** Why it does not run, where its state is `failed`. */
  readonly failure: HelixError | null;
  readonly counts: WorkflowCounts;
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
