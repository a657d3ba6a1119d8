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

export interface ToolPrice {
  readonly model: 'free' | 'per_call' | 'per_result' | 'per_success' | 'unknown';
  /** USD micros (10^-6 USD), a safe integer; null where it is not known before the call. */
  readonly estimateMicros: number | null;
  readonly note: string | null;
}

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
  readonly price: ToolPrice;
  readonly docsUrl: string | null;
}
