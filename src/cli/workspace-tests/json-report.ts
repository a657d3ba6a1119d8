import type { CoverageReport } from './coverage-report.js';
import type { TestResult } from './run-tests.js';
import { shownPlace } from './text-report.js';

/** For scripts: one object per test, places as `file:line:column` relative to `folder`. */
export function jsonOfResults(
  results: readonly TestResult[],
  coverage: CoverageReport | null,
  folder: string,
): string {
  const count = (state: TestResult['state']): number => results.filter((each) => each.state === state).length;
  const report = {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    tests: results.map(({ test, state, misses, realMs, virtualMs }) => ({
      name: test.name,
      [test.subject.kind]: test.subject.id,
      place: shownPlace(test.place, folder),
      state,
      realMs: Math.round(realMs * 10) / 10,
      virtualMs,
      misses: misses.map(({ place, message, difference }) => ({
        place: shownPlace(place, folder),
        message,
        difference,
      })),
    })),
    ...(coverage
      ? {
          coverage: {
            percent: coverage.percent,
            ...coverage.sums,
            missing: coverage.missing.map(({ kind, workflowId, name, place }) => ({
              kind,
              workflow: workflowId,
              name,
              place: shownPlace(place, folder),
            })),
          },
        }
      : {}),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
