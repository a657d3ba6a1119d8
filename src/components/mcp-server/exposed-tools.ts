import { closest } from '../../common/engine/api/options.js';
import type { WorkflowDirectory, WorkflowInfo } from '../../common/engine/api/workflow-directory.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Log } from '../../common/engine/api/ports.js';
import { exposureOf } from './exposure.js';
import type { McpServerOptions } from './mcp-server.options.js';
import { isPortableName, sanitizeToolName } from './tool-name.js';
import { inputSchemaOf, outputSchemaOf } from './tool-schema.js';
import type { ToolOffer } from './tool-source.js';

export interface ExposedTool {
  readonly workflow: WorkflowInfo;
  readonly offer: ToolOffer;
}

export type ToolChoice = Pick<
  McpServerOptions,
  'workflows' | 'allowed_tools' | 'blocked_tools' | 'tasks' | 'tasks_required'
>;

/** The tools of a directory by name, in the order of their names. */
export function exposedTools(
  directory: WorkflowDirectory,
  choice: ToolChoice,
  log: Log,
): { readonly tools: ReadonlyMap<string, ExposedTool>; readonly collisions: readonly HelixError[] } {
  const chosen = new Set(choice.workflows);
  const allowed = new Set(choice.allowed_tools.map(sanitizeToolName));
  const blocked = new Set(choice.blocked_tools.map(sanitizeToolName));
  const asTask = new Set(choice.tasks.map(sanitizeToolName));
  const onlyTask = new Set(choice.tasks_required.map(sanitizeToolName));
  const found = new Map<string, ExposedTool>();
  const collisions: HelixError[] = [];
  for (const workflow of [...directory.list()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const exposure = exposureOf(workflow, chosen);
    if (!exposure.exposed) {
      log.write('debug', 'Workflow is not exposed over MCP.', {
        workflow: workflow.id,
        reason: exposure.reason,
      });
      continue;
    }
    const name = sanitizeToolName(workflow.id);
    if (blocked.has(name) || (allowed.size > 0 && !allowed.has(name))) continue;
    const other = found.get(name);
    if (other) collisions.push(collision(name, other.workflow.id, workflow.id));
    else {
      const task = onlyTask.has(name) ? 'required' : asTask.has(name) ? 'optional' : null;
      found.set(name, { workflow, offer: { ...offerOf(name, workflow), ...(task ? { task } : {}) } });
    }
  }
  const ordered = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return { tools: new Map(ordered), collisions };
}

/** @throws HelixError `WORKSPACE.WRONG_OPTION` where `workflows` names one that does not exist */
export function checkChoice(directory: WorkflowDirectory, choice: ToolChoice, log: Log): void {
  const ids = directory.list().map(({ id }) => id);
  const missing = choice.workflows.find((id) => !ids.includes(id));
  if (missing !== undefined) {
    const hint = closest(missing, ids);
    throw new HelixError(
      'WORKSPACE.WRONG_OPTION',
      `The option "workflows" names "${missing}", and there is no such workflow${hint ? `; did you mean "${hint}"?` : '.'}`,
      { details: { option: 'workflows', suggestion: hint } },
    );
  }
  const names = new Set(ids.map(sanitizeToolName));
  for (const option of ['allowed_tools', 'blocked_tools', 'tasks', 'tasks_required'] as const) {
    for (const name of choice[option].filter((item) => !names.has(sanitizeToolName(item)))) {
      log.write('warn', `The option "${option}" names "${name}", and there is no such tool.`);
    }
  }
}

/** Hosts that refuse such a name often refuse the whole list with it, so it is worth a line at start. */
export function warnOfNames(tools: ReadonlyMap<string, ExposedTool>, log: Log): void {
  for (const [name, { workflow }] of tools) {
    if (isPortableName(name)) continue;
    log.write('warn', 'Some MCP hosts refuse tool names with a dot or more than 64 characters.', {
      tool: name,
      workflow: workflow.id,
    });
  }
}

function offerOf(name: string, workflow: WorkflowInfo): ToolOffer {
  const outputSchema = outputSchemaOf(workflow);
  return {
    name,
    ...(workflow.description === null ? {} : { description: workflow.description }),
    inputSchema: inputSchemaOf(workflow),
    ...(outputSchema ? { outputSchema } : {}),
  };
}

function collision(name: string, first: string, second: string): HelixError {
  return new HelixError(
    'WORKSPACE.INVALID',
    `The workflows "${first}" and "${second}" would both be the MCP tool "${name}": rename one, or choose with "workflows".`,
    { details: { tool: name, workflows: [first, second] } },
  );
}
