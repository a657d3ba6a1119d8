import { isDeepStrictEqual } from 'node:util';
import type { SourceNode } from '../model/source-node.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { WorkflowDefinition, WorkspaceDefinition } from '../model/workflow-definition.js';

/** All that a workflow is made from. */
export interface WrittenWorkflow {
  readonly definition: WorkflowDefinition;
  /** The tool it stands behind (`from: tool://id`). */
  readonly tool: ToolDefinition | null;
  /** What the workspace says for every workflow. */
  readonly defaults: Pick<WorkspaceDefinition, 'errorHandler' | 'onException' | 'interceptors'>;
}

/** Whether both say the same, wherever in the files they stand. */
export function sameWorkflow(one: WrittenWorkflow, other: WrittenWorkflow): boolean {
  return isDeepStrictEqual(essence(one), essence(other));
}

function essence({ definition, tool, defaults }: WrittenWorkflow): unknown {
  const { trigger, steps, errorHandler, onException, interceptors } = definition;
  return {
    ...definition,
    place: null,
    tool,
    trigger: { ...trigger, place: null },
    steps: steps.map((step) => ({ ...step, place: null, body: bare(step.body) })),
    errorHandler: bare(errorHandler ?? defaults.errorHandler),
    onException: [bare(onException), bare(defaults.onException)],
    interceptors: [bare(interceptors), bare(defaults.interceptors)],
  };
}

/** The node without its places. */
export function bare(node: SourceNode | null): unknown {
  if (node === null) return null;
  if (node.kind === 'scalar') return { ...node, place: null };
  if (node.kind === 'list') return node.items.map(bare);
  return node.entries.map(({ key, value }) => ({ key, value: bare(value) }));
}
