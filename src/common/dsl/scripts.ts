import type { Place } from '../engine/model/source-node.js';
import type { WorkspaceProblem } from '../engine/model/workflow-definition.js';
import type { SourceFile } from './source/source-file.js';

/** Something about a script; line and column are 1-based within it. */
export interface ScriptFinding {
  readonly message: string;
  readonly hint?: string;
  readonly line: number;
  readonly column: number;
}

/** Compiles a script and tells what is wrong or doubtful, without running it. */
export type ScriptCheck = (source: string) => {
  readonly errors: readonly ScriptFinding[];
  readonly warnings: readonly ScriptFinding[];
};

/**
 * The builder knows where a script begins; this finds the places of its findings inside the YAML scalar. A script
 * whose text holds the value of a variable is not quoted.
 */
export function placeScriptProblem(
  problem: WorkspaceProblem,
  files: ReadonlyMap<string, SourceFile>,
  check: ScriptCheck,
): readonly WorkspaceProblem[] {
  if (problem.rule !== 'wrong-script') return [problem];
  const scalar = files.get(problem.place.file)?.scalarAt(problem.place);
  if (!scalar) return [problem];
  if (scalar.secret) {
    return [{ ...problem, message: 'The script does not compile once its variables are filled in.' }];
  }
  const { errors } = check(String(scalar.value));
  if (errors.length === 0) return [problem];
  return errors.map((error) => ({
    ...problem,
    message: sentenceOf(error),
    place: placeIn(files, problem.place, error),
  }));
}

export function placeIn(files: ReadonlyMap<string, SourceFile>, place: Place, finding: ScriptFinding): Place {
  const file = files.get(place.file);
  const scalar = file?.scalarAt(place);
  return file && scalar ? file.placeInside(scalar, finding.line, finding.column) : place;
}

export function sentenceOf({ message, hint }: ScriptFinding): string {
  return hint ? `${message.replace(/[.;]$/, '')}; ${hint}` : message;
}

/** The name in a hint such as `did you mean "upper"?`. */
export function suggestionOf({ hint }: ScriptFinding): string | undefined {
  return hint === undefined ? undefined : /did you mean "([^"]+)"/.exec(hint)?.[1];
}
