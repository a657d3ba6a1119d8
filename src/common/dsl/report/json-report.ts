import type { WorkspaceProblem } from '../../engine/model/workflow-definition.js';
import { shownPath } from './text-report.js';

/** For scripts: one flat object per problem, paths relative to `folder`. */
export function jsonReport(problems: readonly WorkspaceProblem[], files: number, folder: string): string {
  const count = (severity: WorkspaceProblem['severity']): number =>
    problems.filter((problem) => problem.severity === severity).length;
  const report = {
    valid: count('error') === 0,
    files,
    errors: count('error'),
    warnings: count('warning'),
    infos: count('info'),
    problems: problems.map(({ severity, rule, message, place, suggestion }) => ({
      severity,
      rule,
      message,
      file: shownPath(place.file, folder),
      line: place.line,
      column: place.column,
      suggestion: suggestion ?? null,
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
