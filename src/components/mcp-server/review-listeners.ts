import type {
  WorkflowDefinition,
  WorkspaceDefinition,
  WorkspaceProblem,
} from '../../common/engine/model/workflow-definition.js';

/** An MCP server has its port to itself: a second one, or an http-server there, is told before anything listens. */
export function reviewListeners(
  { workflows }: WorkspaceDefinition,
  report: (problem: WorkspaceProblem) => void,
): void {
  const taken = new Map<string, { readonly workflow: WorkflowDefinition; readonly scheme: string }>();
  for (const workflow of workflows) {
    const match = /^\s*(mcp-server|http-server):(?:\/\/)?([^/?]+:(\d+)|stdio)/i.exec(workflow.trigger.uri);
    const [, scheme = '', address = '', port] = match ?? [];
    // Port 0 is another one for each.
    if (workflow.disabled || address === '' || Number(port) === 0) continue;
    const other = taken.get(address);
    // Routes of one http-server share a listener.
    if (other && (scheme === 'mcp-server' || other.scheme === 'mcp-server')) {
      const { id, place } = other.workflow;
      report({
        severity: 'error',
        rule: 'shared-address',
        message: `The workflow "${id}" at ${place.file}:${place.line} listens on ${address} already, and an MCP server shares it with nobody: take another port.`,
        place: workflow.trigger.place,
      });
    } else taken.set(address, { workflow, scheme });
  }
}
