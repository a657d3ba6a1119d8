import type { Place } from '../engine/model/source-node.js';
import type { WorkspaceProblem } from '../engine/model/workflow-definition.js';

/** Collects what is wrong, so that one run tells everything at once instead of the first thing only. */
export class Problems {
  private readonly found: WorkspaceProblem[] = [];

  error(rule: string, place: Place, message: string, suggestion?: string): void {
    this.add({
      severity: 'error',
      rule,
      message,
      place,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  warning(rule: string, place: Place, message: string, suggestion?: string): void {
    this.add({
      severity: 'warning',
      rule,
      message,
      place,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  add(problem: WorkspaceProblem): void {
    this.found.push(problem);
  }

  /** By file, line and column; the same finding of two rules stands once. */
  list(): readonly WorkspaceProblem[] {
    return sortProblems(this.found);
  }
}

export function sortProblems(problems: readonly WorkspaceProblem[]): readonly WorkspaceProblem[] {
  const seen = new Set<string>();
  return [...problems]
    .filter((problem) => {
      const { file, line, column } = problem.place;
      const key = JSON.stringify([file, line, column, problem.rule, problem.message]);
      return seen.has(key) ? false : seen.add(key);
    })
    .sort((a, b) => compare(a.place, b.place));
}

function compare(a: Place, b: Place): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
