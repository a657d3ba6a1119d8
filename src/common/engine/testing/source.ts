import { readSteps } from '../api/fields/read-steps.js';
import type { FieldDef, ToolDefinition, ToolRule } from '../model/tool-definition.js';
import type { Place, SourceNode } from '../model/source-node.js';
import type {
  StepNode,
  ToolSource,
  UriNode,
  WorkflowDefinition,
  WorkspaceDefinition,
} from '../model/workflow-definition.js';

/** Plain data as the loader would give it; every node counts up one line, so that places differ. */
export function sourceOf(value: unknown, file = 'test.yaml'): SourceNode {
  let line = 0;
  const place = (): Place => ({ file, line: ++line, column: 1 });
  const node = (part: unknown): SourceNode => {
    const at = place();
    if (Array.isArray(part)) return { kind: 'list', place: at, items: part.map(node) };
    if (typeof part === 'object' && part !== null) {
      return {
        kind: 'map',
        place: at,
        entries: Object.entries(part).map(([key, item]) => ({ key, place: place(), value: node(item) })),
      };
    }
    return { kind: 'scalar', place: at, value: part as string | number | boolean | null, secret: false };
  };
  return node(value);
}

const optional = (value: unknown): SourceNode | null => (value === undefined ? null : sourceOf(value));

const somewhere: Place = { file: 'test.yaml', line: 1, column: 1 };

export function stepsOf(value: readonly unknown[]): readonly StepNode[] {
  return readSteps(sourceOf(value), ({ message }) => {
    throw new Error(message);
  });
}

export function uriOf(uri: string, parameters: Readonly<Record<string, unknown>> = {}): UriNode {
  return { uri, parameters, secrets: new Set(), place: somewhere };
}

/** What differs from an empty workflow, in the words of the YAML file. */
export interface WorkflowInit {
  readonly id: string;
  readonly from: string;
  readonly steps?: readonly unknown[];
  readonly description?: string;
  readonly 'input-schema'?: Readonly<Record<string, unknown>>;
  readonly 'error-handler'?: unknown;
  readonly 'on-exception'?: unknown;
  readonly interceptors?: unknown;
  readonly timeoutMs?: number;
  readonly disabled?: boolean;
}

export function workflowOf(init: WorkflowInit): WorkflowDefinition {
  return {
    id: init.id,
    place: somewhere,
    description: init.description ?? null,
    trigger: uriOf(init.from),
    inputSchema: init['input-schema'] ?? null,
    outputSchema: null,
    timeoutMs: init.timeoutMs ?? null,
    durable: false,
    disabled: init.disabled ?? false,
    errorHandler: optional(init['error-handler']),
    onException: optional(init['on-exception']),
    interceptors: optional(init.interceptors),
    steps: stepsOf(init.steps ?? []),
  };
}

export interface ToolInit {
  readonly id: string;
  readonly description?: string;
  readonly input?: Readonly<Record<string, FieldDef>>;
  readonly output?: Readonly<Record<string, FieldDef>>;
  readonly rules?: readonly ToolRule[];
  readonly schema?: boolean;
  readonly steps?: readonly unknown[];
}

export function toolOf(init: ToolInit): ToolSource {
  const definition: ToolDefinition = {
    id: init.id,
    name: null,
    description: init.description ?? null,
    input: init.input ?? {},
    output: init.output ?? {},
    inputSchema: null,
    outputSchema: null,
    validateSchema: init.schema ?? true,
    rules: init.rules ?? [],
    policy: {
      timeoutMs: 60_000,
      maxResultBytes: 1_048_576,
      sideEffects: 'unknown',
      redispatch: 'never',
      requiresProject: false,
    },
    pricing: { model: 'free', micros: null, estimateMicros: 0, note: null },
    docsUrl: null,
  };
  return { definition, place: somewhere, steps: stepsOf(init.steps ?? []) };
}

export interface WorkspaceInit {
  readonly tools?: readonly ToolInit[];
  readonly workflows?: readonly WorkflowInit[];
  readonly 'error-handler'?: unknown;
  readonly 'on-exception'?: unknown;
  readonly interceptors?: unknown;
}

export function workspaceOf(init: WorkspaceInit): WorkspaceDefinition {
  return {
    tools: (init.tools ?? []).map(toolOf),
    workflows: (init.workflows ?? []).map(workflowOf),
    errorHandler: optional(init['error-handler']),
    onException: optional(init['on-exception']),
    interceptors: optional(init.interceptors),
    sections: new Map(),
  };
}
