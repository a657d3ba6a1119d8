import { relative } from 'node:path';
import type { TestResult } from './run-tests.js';
import { shownPlace } from './text-report.js';

/** JUnit XML as CI servers read it: a suite for each file, a case for each test. */
export function junitOfResults(results: readonly TestResult[], folder: string): string {
  const suites = new Map<string, TestResult[]>();
  for (const result of results) {
    const file = relative(folder, result.test.place.file) || result.test.place.file;
    suites.set(file, [...(suites.get(file) ?? []), result]);
  }
  const lines = [...suites].map(([file, cases]) => suiteOf(file, cases, folder));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="helix test">\n${lines.join('\n')}\n</testsuites>\n`;
}

function suiteOf(file: string, cases: readonly TestResult[], folder: string): string {
  const count = (state: TestResult['state']): number => cases.filter((each) => each.state === state).length;
  const seconds = cases.reduce((sum, { realMs }) => sum + realMs, 0) / 1000;
  const head = `  <testsuite name="${escaped(file)}" tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}" time="${seconds.toFixed(3)}">`;
  return [head, ...cases.map((each) => caseOf(each, folder)), '  </testsuite>'].join('\n');
}

function caseOf({ test, state, misses, realMs }: TestResult, folder: string): string {
  const { file, line } = test.place;
  const head = `    <testcase classname="${escaped(test.subject.id)}" name="${escaped(test.name)}" file="${escaped(relative(folder, file) || file)}" line="${line}" time="${(realMs / 1000).toFixed(3)}"`;
  if (state === 'passed') return `${head}/>`;
  if (state === 'skipped') return `${head}><skipped message="${escaped(test.skip ?? '')}"/></testcase>`;
  const failures = misses.map(({ place, message, difference }) => {
    const text = [`${shownPlace(place, folder)}  ${message}`, ...difference].join('\n');
    return `      <failure message="${escaped(message)}">${escaped(text)}</failure>`;
  });
  return [`${head}>`, ...failures, '    </testcase>'].join('\n');
}

const codes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Control characters have no form in XML 1.0: they are told as their code. */
function escaped(text: string): string {
  return text
    .replace(/[<>&"]/g, (char) => codes[char] ?? char)
    .replace(/\p{Cc}/gu, (char) =>
      '\t\n\r'.includes(char) ? char : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
}
