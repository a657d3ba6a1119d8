import { errorsIn } from '../api/options.js';
import { HelixError } from '../errors/helix-error.js';
import type { Place } from '../model/source-node.js';
import type { WorkspaceProblem } from '../model/workflow-definition.js';

const rules: Readonly<Record<string, string>> = {
  'WORKSPACE.UNKNOWN_COMPONENT': 'unknown-component',
  'WORKSPACE.UNKNOWN_OPTION': 'unknown-option',
  'WORKSPACE.WRONG_OPTION': 'wrong-option',
  'WORKSPACE.UNSUPPORTED_END': 'unsupported-end',
};

/** What was thrown while something at `place` was built, as a finding. */
export function problemOf(thrown: unknown, place: Place): WorkspaceProblem {
  const error = HelixError.from(thrown);
  const suggestion = error.details['suggestion'];
  return {
    severity: 'error',
    rule: rules[error.code] ?? 'wrong-value',
    message: error.message,
    place,
    ...(typeof suggestion === 'string' ? { suggestion } : {}),
  };
}

/** The same, where what was thrown may stand for several mistakes. */
export function problemsOf(thrown: unknown, place: Place): readonly WorkspaceProblem[] {
  return errorsIn(HelixError.from(thrown)).map((error) => problemOf(error, place));
}

/** `file:line:column rule message`, one line each. */
export function describeProblems(problems: readonly WorkspaceProblem[]): string {
  return problems
    .map(({ place, rule, message }) => `${place.file}:${place.line}:${place.column} ${rule}: ${message}`)
    .join('\n');
}

/** The same as a list. */
export function linesOf(problems: readonly WorkspaceProblem[]): readonly string[] {
  return problems.length === 0 ? [] : describeProblems(problems).split('\n');
}

/** One error that holds all of them. */
export function workspaceInvalid(problems: readonly WorkspaceProblem[]): HelixError {
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return new HelixError('WORKSPACE.INVALID', `The workspace has ${count}:\n${describeProblems(problems)}`, {
    details: { problems },
  });
}

/** @throws HelixError `WORKSPACE.INVALID` where one of them is an error */
export function refuseErrors(problems: readonly WorkspaceProblem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw workspaceInvalid(errors);
}
