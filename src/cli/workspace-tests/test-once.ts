import { textReport } from '../../common/dsl/index.js';
import { workspaceResources } from '../../common/dsl/workspace-resources.js';
import { SecretRegistry } from '../../common/platform/logging/secret-registry.js';
import { JsonSchemaValidator } from '../../common/platform/schema/json-schema-validator.js';
import type { TestOptions } from '../test.command.js';
import type { Terminal } from '../terminal.js';
import { checkWorkspace, type CheckedWorkspace } from '../workspace-check.js';
import { lookingVariables } from '../workspace-paths.js';
import { coverageReport, type CoverageReport } from './coverage-report.js';
import { Coverage } from './coverage.js';
import { coveragePoints } from './coverage-points.js';
import { jsonOfResults } from './json-report.js';
import { junitOfResults } from './junit-report.js';
import { outwardComponents } from './outward.js';
import { runTests, type TestResult } from './run-tests.js';
import { pick, select } from './select-tests.js';
import { textOfCoverage, textOfResult, textOfSums } from './text-report.js';

const REAL_TIMEOUT_MS = 30_000;

type ReportOptions = Omit<TestOptions, 'json' | 'watch'>;

export interface TestRun {
  readonly isGood: boolean;
  /** Files and folders of the workspace. */
  readonly paths: readonly string[];
}

/** Runs the tests of a workspace once and tells what came of them. */
export async function testOnce(
  named: readonly string[],
  options: ReportOptions,
  terminal: Terminal,
): Promise<TestRun> {
  const { paths, testFiles } = await select(named, terminal);
  const workspace = await checkWorkspace(paths, lookingVariables(terminal), { withTests: true });
  const masked = withoutSecrets(terminal, workspace.secrets);
  const errors = workspace.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const { folder, hasColour: colour } = terminal;
    masked.err(textReport(errors, workspace.files, { colour, folder }));
    return { isGood: false, paths };
  }
  const tests = pick(workspace.tests, testFiles, options.filter);
  if (tests.length === 0) {
    masked.err(noTests(workspace, options.filter));
    return { isGood: false, paths };
  }
  const coverage = new Coverage();
  const begun = performance.now();
  const results: TestResult[] = [];
  const parts = {
    validator: new JsonSchemaValidator(),
    coverage,
    readResource: workspaceResources(paths),
    outward: tests.some(({ allow }) => allow.length > 0) ? await outwardComponents(terminal) : () => [],
    realTimeoutMs: REAL_TIMEOUT_MS,
  };
  for await (const result of runTests(tests, workspace, parts)) {
    results.push(result);
    if (options.format === 'text') masked.out(textOfResult(result, masked));
  }
  const covered =
    options.coverage || options.coverageMin !== undefined ? coverageOf(workspace, coverage) : null;
  report({ results, covered, realMs: performance.now() - begun }, options.format, masked);
  const isCovered = isEnough(covered, options.coverageMin ?? 0, masked);
  return { isGood: isCovered && results.every(({ state }) => state !== 'failed'), paths };
}

/** What came from variables is masked in all that is told: a body that differs may hold it. */
function withoutSecrets(terminal: Terminal, secrets: ReadonlySet<string>): Terminal {
  const registry = new SecretRegistry();
  for (const secret of secrets) registry.add(secret);
  return {
    ...terminal,
    out: (text) => terminal.out(registry.redact(text)),
    err: (text) => terminal.err(registry.redact(text)),
  };
}

function report(
  {
    results,
    covered,
    realMs,
  }: { results: readonly TestResult[]; covered: CoverageReport | null; realMs: number },
  format: ReportOptions['format'],
  terminal: Terminal,
): void {
  const { folder } = terminal;
  if (format === 'json') terminal.out(jsonOfResults(results, covered, folder));
  else if (format === 'junit') terminal.out(junitOfResults(results, folder));
  else {
    terminal.out(textOfSums(results, realMs));
    if (covered) terminal.out(textOfCoverage(covered, terminal));
  }
}

function isEnough(covered: CoverageReport | null, least: number, terminal: Terminal): boolean {
  if (covered === null || covered.percent >= least) return true;
  terminal.err(
    `The tests cover ${covered.percent} % and should cover ${least} %: --coverage tells what is not run.\n`,
  );
  return false;
}

function coverageOf({ definition, vocabulary }: CheckedWorkspace, coverage: Coverage): CoverageReport {
  return coverageReport(coveragePoints(definition, vocabulary.steps), coverage);
}

function noTests({ tests }: CheckedWorkspace, filter: string | undefined): string {
  if (filter !== undefined && tests.length > 0)
    return `None of the ${tests.length} tests has "${filter}" in its name: correct --filter.\n`;
  return 'There are no tests: write some under tests:, best in a file *.test.yaml beside the workflows.\n';
}
