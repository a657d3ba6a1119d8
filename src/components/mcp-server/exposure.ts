import type { WorkflowInfo } from '../../common/engine/api/workflow-directory.js';

/** Triggers made to be invoked: exposed whatever the author says of the input. */
const alwaysExposed: ReadonlySet<string> = new Set(['tool', 'agui', 'a2a-server']);
/** Triggers exposed once the author writes an `input-schema`. */
const exposedWithSchema: ReadonlySet<string> = new Set(['direct', 'seda', 'http-server']);

export type Exposure =
  | { readonly exposed: true }
  /** `reason` is for the debug log. */
  | { readonly exposed: false; readonly reason: string };

const hidden = (reason: string): Exposure => ({ exposed: false, reason });

/**
 * Whether a workflow becomes a tool (contract/mcp-server-component, "How routes are exposed").
 * @param chosen ids of the `workflows` option; empty for all
 */
export function exposureOf(workflow: WorkflowInfo, chosen: ReadonlySet<string>): Exposure {
  const { id, scheme, state, inputSchema } = workflow;
  if (scheme === 'mcp-server') return hidden('it hosts an MCP server');
  if (chosen.size > 0 && !chosen.has(id)) return hidden('the option "workflows" does not name it');
  if (state === 'disabled' || state === 'stopped') return hidden(`it is ${state}`);
  if (alwaysExposed.has(scheme)) return { exposed: true };
  if (!exposedWithSchema.has(scheme)) return hidden(`a ${scheme}:// trigger cannot be invoked`);
  return inputSchema === null ? hidden('it has no input-schema') : { exposed: true };
}
