import type { ExpressionLanguage } from '../../common/engine/api/expression.js';
import type { SchemaValidator } from '../../common/engine/api/ports.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';
import { Tool } from './tool.js';
import { toolIdOf } from './tool-definitions.js';
import { violations } from './validate-arguments.js';

/** What is wrong with the tools of a workspace, before any of it is built. */
export function reviewTools(
  { tools, workflows }: WorkspaceDefinition,
  language: ExpressionLanguage,
  validator: SchemaValidator | null,
  report: (problem: WorkspaceProblem) => void,
): void {
  const implemented = new Set(workflows.map(toolIdOf));
  for (const { definition, place, steps } of tools) {
    const { id } = definition;
    const problem = (rule: string, message: string, severity: 'error' | 'warning' = 'error'): void =>
      report({ severity, rule, message, place });
    if (steps.length === 0 && !implemented.has(id)) {
      problem(
        'tool-without-steps',
        `The tool "${id}" does nothing: give it steps, or a workflow with from: tool://${id}.`,
      );
    }
    try {
      void new Tool(definition, language, validator);
    } catch (thrown) {
      problem(
        'wrong-script',
        `The tool "${id}": ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      );
    }
    for (const [name, field] of Object.entries(definition.input)) {
      if (field.default === undefined) continue;
      const [wrong] = violations(
        Object.fromEntries([[name, field.default]]),
        Object.fromEntries([[name, field]]),
      );
      if (wrong) problem('wrong-default', `The default of "${name}" of the tool "${id}" ${wrong.message}.`);
    }
  }
}
