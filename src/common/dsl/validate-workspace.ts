import type { WorkspaceDefinition, WorkspaceProblem } from '../engine/model/workflow-definition.js';
import type { ParsedWorkspace } from './parse-workspace.js';
import { sortProblems } from './problems.js';
import { rules } from './rules/index.js';
import type { Vocabulary } from './rules/rule.js';

/** Builds every workflow without starting it and tells what does not fit; `Engine` does. */
export interface WorkspaceBuilder {
  check(workspace: WorkspaceDefinition): readonly WorkspaceProblem[];
}

/** Everything that is wrong with a workspace, in the order of its files: reading, building, rules. */
export function validateWorkspace(
  parsed: ParsedWorkspace,
  builder: WorkspaceBuilder,
  vocabulary: Vocabulary,
): readonly WorkspaceProblem[] {
  const found: WorkspaceProblem[] = [...parsed.problems];
  found.push(...builder.check(parsed.definition));
  for (const rule of rules) {
    rule.check({
      ...vocabulary,
      workspace: parsed.definition,
      files: parsed.files,
      error: (place, message, suggestion) =>
        found.push(finding('error', rule.id, place, message, suggestion)),
      warning: (place, message, suggestion) =>
        found.push(finding('warning', rule.id, place, message, suggestion)),
    });
  }
  return sortProblems(found);
}

function finding(
  severity: WorkspaceProblem['severity'],
  rule: string,
  place: WorkspaceProblem['place'],
  message: string,
  suggestion: string | undefined,
): WorkspaceProblem {
  return { severity, rule, message, place, ...(suggestion === undefined ? {} : { suggestion }) };
}
