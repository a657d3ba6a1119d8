import type { WorkspaceDefinition, WorkspaceProblem } from '../engine/model/workflow-definition.js';
import type { ParsedWorkspace } from './parse-workspace.js';
import { sortProblems } from './problems.js';
import { rules } from './rules/index.js';
import type { Vocabulary } from './rules/rule.js';
import { placeScriptProblems, type ScriptCheck } from './scripts.js';

/** Builds every workflow without starting it and tells what does not fit; `Engine` does. */
export interface WorkspaceBuilder {
  check(workspace: WorkspaceDefinition): readonly WorkspaceProblem[];
}

/** What a workspace is held against. */
export interface Checks extends Vocabulary {
  readonly builder: WorkspaceBuilder;
  readonly checkScript: ScriptCheck;
}

/** Everything that is wrong with a workspace, in the order of its files: reading, building, rules. */
export function validateWorkspace(parsed: ParsedWorkspace, checks: Checks): readonly WorkspaceProblem[] {
  const { definition, files } = parsed;
  const { builder, ...context } = checks;
  const found: WorkspaceProblem[] = [
    ...parsed.problems,
    ...placeScriptProblems(builder.check(definition), files, checks.checkScript),
  ];
  for (const rule of rules) {
    rule.check({
      ...context,
      workspace: definition,
      files,
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
