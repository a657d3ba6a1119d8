import { relative } from 'node:path';
import type { Place } from '../../common/engine/model/source-node.js';
import { paintOf, type Terminal } from '../terminal.js';
import type { CoverageReport } from './coverage-report.js';
import type { TestResult } from './run-tests.js';

const plural: Readonly<Record<string, string>> = {
  workflow: 'workflows',
  step: 'steps',
  branch: 'branches',
  'error-clause': 'error clauses',
};

export function shownPlace({ file, line, column }: Place, folder: string): string {
  const path = relative(folder, file);
  return `${path === '' || path.startsWith('..') ? file : path}:${line}:${column}`;
}

/** One test as a line, and below it what did not come true, with the place of the expectation. */
export function textOfResult({ test, state, misses, virtualMs }: TestResult, terminal: Terminal): string {
  const paint = paintOf(terminal);
  const name = `${test.subject.id}: ${test.name}`;
  if (state === 'skipped') return `${paint.yellow('-')} ${name} ${paint.dim(`(skipped: ${test.skip})`)}\n`;
  if (state === 'passed') {
    const time = virtualMs > 0 ? ` ${paint.dim(`(${shownSpan(virtualMs)} of virtual time)`)}` : '';
    return `${paint.green('✓')} ${name}${time}\n`;
  }
  const blocks = misses.map(({ place, message, difference }) =>
    [
      `  ${paint.bold(shownPlace(place, terminal.folder))}`,
      ...message.split('\n').map((line) => `    ${line}`),
      ...difference.map((line) => `      ${coloured(line, paint)}`),
    ].join('\n'),
  );
  return `${paint.red('✗')} ${name}\n${blocks.join('\n')}\n`;
}

function coloured(line: string, paint: ReturnType<typeof paintOf>): string {
  if (line.startsWith('- ')) return paint.red(line);
  return line.startsWith('+ ') ? paint.green(line) : line;
}

export function textOfSums(results: readonly TestResult[], realMs: number): string {
  const count = (state: TestResult['state']): number => results.filter((each) => each.state === state).length;
  const parts = (['passed', 'failed', 'skipped'] as const)
    .map((state) => [count(state), state] as const)
    .filter(([n]) => n > 0)
    .map(([n, state]) => `${n} ${state}`);
  const virtual = results.reduce((sum, each) => sum + each.virtualMs, 0);
  const tests = `${results.length} test${results.length === 1 ? '' : 's'}`;
  const time = virtual > 0 ? `, ${shownSpan(virtual)} of virtual time` : '';
  return `\n${tests}: ${parts.join(', ')} in ${(realMs / 1000).toFixed(2)} s${time}.\n`;
}

export function textOfCoverage({ sums, percent, missing }: CoverageReport, terminal: Terminal): string {
  const paint = paintOf(terminal);
  const parts = Object.entries(sums).map(
    ([kind, { covered, total }]) => `${plural[kind]} ${covered}/${total}`,
  );
  const lines = missing.map(
    ({ kind, workflowId, name, place }) =>
      `  ${paint.dim(shownPlace(place, terminal.folder))}  ${kind === 'workflow' ? 'workflow' : (workflowId ?? 'every workflow')}: ${name}`,
  );
  const head = `Coverage ${percent} %: ${parts.join(', ')}.`;
  return `${[head, ...(lines.length > 0 ? ['Not run:', ...lines] : [])].join('\n')}\n`;
}

function shownSpan(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const;
  let left = ms;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const n = Math.floor(left / size);
    if (n > 0) parts.push(`${n}${unit}`);
    left -= n * size;
  }
  if (left > 0) parts.push(`${Math.round(left)}ms`);
  return parts.join(' ') || '0ms';
}
