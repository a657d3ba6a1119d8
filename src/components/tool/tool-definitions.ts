import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { ToolDefinition } from '../../common/engine/model/tool-definition.js';
import type {
  WorkflowDefinition,
  WorkspaceDefinition,
} from '../../common/engine/model/workflow-definition.js';

/** The id of the tool a workflow implements (`from: tool://id`), null where it is no tool. */
export function toolIdOf({ trigger }: WorkflowDefinition): string | null {
  if (!/^\s*tool:/i.test(trigger.uri)) return null;
  try {
    return EndpointUri.parse(trigger.uri).path;
  } catch {
    return null;
  }
}

/** A tool that was written as a workflow only: what the workflow says of itself is its definition. */
export function implied(
  id: string,
  { description, inputSchema, outputSchema, timeoutMs }: WorkflowDefinition,
): ToolDefinition {
  return {
    id,
    name: null,
    description,
    input: {},
    output: {},
    inputSchema,
    outputSchema,
    validateSchema: true,
    rules: [],
    policy: {
      timeoutMs: timeoutMs ?? 60_000,
      maxResultBytes: 1_048_576,
      sideEffects: 'unknown',
      redispatch: 'never',
      requiresProject: false,
    },
    pricing: { model: 'free', micros: null, estimateMicros: 0, note: null },
    docsUrl: null,
  };
}

/** All tools of a workspace: the `tools:` section, and workflows that are tools without an entry there. */
export function definitionsOf({
  tools,
  workflows,
}: WorkspaceDefinition): ReadonlyMap<string, ToolDefinition> {
  const found = new Map(tools.map(({ definition }) => [definition.id, definition]));
  for (const workflow of workflows) {
    const id = toolIdOf(workflow);
    if (id !== null && !found.has(id)) found.set(id, implied(id, workflow));
  }
  return found;
}
