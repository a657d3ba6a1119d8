import type { Exchange, ExchangeInit } from '../model/exchange.js';

export type WorkflowState = 'starting' | 'started' | 'stopping' | 'stopped' | 'failed' | 'disabled';

/** JSON Schema 2020-12 as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What others may know of a workflow. */
export interface WorkflowInfo {
  readonly id: string;
  readonly description: string | null;
  /** The trigger's URI as written, without secrets. */
  readonly from: string;
  /** The scheme of the trigger, e.g. `tool`, `direct`. */
  readonly scheme: string;
  readonly inputSchema: JsonSchema | null;
  readonly outputSchema: JsonSchema | null;
  readonly state: WorkflowState;
  /** Milliseconds one exchange may take; null for no limit. */
  readonly timeoutMs: number | null;
}

/** All workflows of the engine: how an exposing consumer lists and runs them through the engine's own pipeline. */
export interface WorkflowDirectory {
  list(): readonly WorkflowInfo[];
  get(id: string): WorkflowInfo | undefined;
  /** A new exchange for the workflow. @throws HelixError `ENGINE.UNKNOWN_WORKFLOW` */
  exchange(id: string, init: Omit<ExchangeInit, 'id' | 'createdAt'>): Exchange;
  /**
   * Runs the workflow's pipeline (its interceptors and error handler included) on the exchange; never rejects.
   * For a workflow whose trigger checks its input (`tool://`), the check is part of the run.
   */
  run(id: string, exchange: Exchange): Promise<void>;
  /** Called after each reload with nothing; the returned function ends the subscription. */
  onChange(listener: () => void): () => void;
}
