import type { JsonSchema } from '../api/workflow-directory.js';

/**
 * One field of a tool's arguments or result (contract/tool-component, "Parameters"). Types are `string`, `number`,
 * `integer`, `boolean`, `object`, `array`; an unknown one passes silently, so that authors may write `date` or `email`.
 */
export interface FieldDef {
  readonly type: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly fields?: Readonly<Record<string, FieldDef>>;
  readonly items?: FieldDef;
}

export interface ToolRule {
  readonly name: string;
  /** Starlang, with `args`. */
  readonly expr: string;
  readonly reason: string;
}

/** What a call costs, in USD micros (10^-6 USD, safe integers). */
export interface ToolPricing {
  /**
   * `per_call`: each run, whatever came of it; `per_success`: each result; `per_result`: each item of a result that is
   * an array. `unknown`: it may cost something, and nobody here measures it.
   */
  readonly model: 'free' | 'per_call' | 'per_result' | 'per_success' | 'unknown';
  /** The fixed price of one unit of the model; null where the cost is only told after the call. */
  readonly micros: number | null;
  /** What a call is expected to cost; null where that is not known. */
  readonly estimateMicros: number | null;
  readonly note: string | null;
}

/**
 * Header in which the route of a priced tool without fixed `micros` tells what the call cost, in USD micros: a whole
 * number. As every name of the engine it is dropped where messages come in from the outside.
 */
export const costHeader = 'HelixCostMicros';

/** What the durable call must know before it runs, and runs again, a tool. */
export interface ToolPolicy {
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
  readonly sideEffects: 'read' | 'write' | 'unknown';
  readonly redispatch: 'never' | 'with_upstream_key' | 'safe';
  readonly requiresProject: boolean;
}

/** A tool as its author declared it. */
export interface ToolDefinition {
  /** `[A-Za-z0-9_-]{1,64}`, never `connections`. */
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly input: Readonly<Record<string, FieldDef>>;
  readonly output: Readonly<Record<string, FieldDef>>;
  /** A JSON Schema written out by the author (`from: tool://x` with `input-schema`) instead of fields. */
  readonly inputSchema: JsonSchema | null;
  readonly outputSchema: JsonSchema | null;
  /** Check arguments against `input`; on by default. */
  readonly validateSchema: boolean;
  readonly rules: readonly ToolRule[];
  readonly policy: ToolPolicy;
  readonly pricing: ToolPricing;
  readonly docsUrl: string | null;
}
