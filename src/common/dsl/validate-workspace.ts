import type { SchemaValidator } from '../engine/api/ports.js';
import type {
  ToolSource,
  WorkspaceDefinition,
  WorkspaceProblem,
} from '../engine/model/workflow-definition.js';
import type { ParsedWorkspace } from './parse-workspace.js';
import { sortProblems } from './problems.js';
import { rules } from './rules/index.js';
import type { Finding, Vocabulary } from './rules/rule.js';
import { scriptOf } from './rules/rule-scripts.js';
import { placeScriptProblem, type ScriptCheck } from './scripts.js';

/** Builds every workflow without starting it and tells what does not fit; `Engine` does. */
export interface WorkspaceBuilder {
  check(workspace: WorkspaceDefinition): readonly WorkspaceProblem[];
}

/** What a workspace is held against. */
export interface Checks extends Vocabulary {
  readonly builder: WorkspaceBuilder;
  readonly checkScript: ScriptCheck;
  readonly schemas: SchemaValidator;
}

/** Everything that is wrong with a workspace, in the order of its files: reading, building, rules. */
export function validateWorkspace(parsed: ParsedWorkspace, checks: Checks): readonly WorkspaceProblem[] {
  const { definition, files, tests } = parsed;
  const { builder, ...context } = checks;
  const found: WorkspaceProblem[] = [];
  const collect =
    (severity: WorkspaceProblem['severity'], rule: string): Finding =>
    (place, message, suggestion) =>
      found.push({ severity, rule, message, place, ...(suggestion === undefined ? {} : { suggestion }) });
  for (const rule of rules) {
    const [error, warning] = [collect('error', rule.id), collect('warning', rule.id)];
    const info = collect('info', rule.id);
    rule.check({ ...context, workspace: definition, tests, files, error, warning, info });
  }
  const ofTools = new Map(definition.tools.map((tool) => [tool.place, tool]));
  for (const problem of builder.check(definition)) {
    const tool = ofTools.get(problem.place);
    if (!tool) found.push(...placeScriptProblem(problem, files, checks.checkScript));
    else if (!isToldCloser(problem, tool, checks.checkScript)) found.push(problem);
  }
  found.push(...parsed.problems);
  return sortProblems(found);
}

/** The builder tells a mistake in a field or rule at the tool that has it; our rules tell it at the place itself. */
function isToldCloser({ rule }: WorkspaceProblem, { definition }: ToolSource, check: ScriptCheck): boolean {
  if (rule === 'wrong-default') return true;
  if (rule !== 'wrong-script') return false;
  return definition.rules.some((one) => !scriptOf(one)?.secret && check(one.expr).errors.length > 0);
}
