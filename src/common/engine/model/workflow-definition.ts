import type { JsonSchema } from '../api/workflow-directory.js';
import type { Place, SourceNode } from './source-node.js';
import type { ToolDefinition } from './tool-definition.js';

/** One step as written: exactly one keyword with its value. */
export interface StepNode {
  readonly keyword: string;
  readonly id: string | null;
  readonly description: string | null;
  readonly disabled: boolean;
  /** Place of the keyword. */
  readonly place: Place;
  readonly body: SourceNode;
}

/** A URI as written, with its `parameters:` map if there is one. */
export interface UriNode {
  readonly uri: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Names of options whose value came from a variable. */
  readonly secrets: ReadonlySet<string>;
  /** What stands between scheme and query as written, where a variable stands there: shown in place of its value. */
  readonly shownPath?: string;
  readonly place: Place;
}

/** A workflow as its author wrote it, shape checked, nothing compiled. */
export interface WorkflowDefinition {
  readonly id: string;
  readonly place: Place;
  readonly description: string | null;
  readonly trigger: UriNode;
  readonly inputSchema: JsonSchema | null;
  readonly outputSchema: JsonSchema | null;
  readonly timeoutMs: number | null;
  readonly durable: boolean;
  readonly disabled: boolean;
  readonly errorHandler: SourceNode | null;
  readonly onException: SourceNode | null;
  readonly interceptors: SourceNode | null;
  readonly steps: readonly StepNode[];
}

/** A tool of `tools:`. With steps it is a workflow of its own whose trigger is `tool://id` and whose id is the tool's. */
export interface ToolSource {
  readonly definition: ToolDefinition;
  readonly place: Place;
  readonly steps: readonly StepNode[];
}

/** Everything the loader found, merged over all files. */
export interface WorkspaceDefinition {
  readonly tools: readonly ToolSource[];
  readonly workflows: readonly WorkflowDefinition[];
  /** `error-handler`, `on-exception`, `interceptors` of the top level: defaults for every workflow. */
  readonly errorHandler: SourceNode | null;
  readonly onException: SourceNode | null;
  readonly interceptors: SourceNode | null;
  /** Further top-level sections (`connections`, `agents`, …) as written, by key. */
  readonly sections: ReadonlyMap<string, readonly SourceNode[]>;
}

/** One finding of a check over the workspace. */
export interface WorkspaceProblem {
  /** `info` is for whoever looks the workspace over; it never fails a check. */
  readonly severity: 'error' | 'warning' | 'info';
  /** Rule id in kebab case, e.g. `unknown-option`, `missing-target`. */
  readonly rule: string;
  readonly message: string;
  readonly place: Place;
  readonly suggestion?: string;
}
