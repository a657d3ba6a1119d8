import { describe, expect, it } from 'vitest';
import { parseSources } from '../parse-workspace.js';
import { jsonReport } from './json-report.js';
import { sarifReport } from './sarif-report.js';
import { textReport } from './text-report.js';

const parsed = parseSources(
  [
    { path: '/w/a b.yaml', text: 'tools:\n  - id: x\n\tdescripton: y' },
    { path: '/w/b.yaml', text: 'workflow: []\n' },
    { path: '/w/c.yaml', text: 'tools:\n  - {id: x, descripton: "a {} b"}\n' },
  ],
  {},
);

describe('textReport', () => {
  it('shows the place, the sentence and the line with a caret below it', () => {
    const text = textReport(parsed.problems, parsed.files, { colour: false, folder: '/w' });
    expect(text).toContain('b.yaml:1:1  error  unknown-key\n  "workflow" is not known here');
    expect(text).toContain('    1 | workflow: []\n      | ^');
    expect(text).toContain('    2 |   - {id: x, descripton: "a {} b"}\n      |             ^');
    expect(text).not.toContain('\u001b');
  });

  it('colours only when asked, and sums up', () => {
    expect(textReport(parsed.problems, parsed.files, { colour: true, folder: '/w' })).toContain(
      '\u001b[31merror',
    );
    expect(textReport([], parsed.files, { colour: false, folder: '/w' })).toBe('No problems in 3 files.\n');
  });

  it('shows a long line around the place', () => {
    const long = parseSources(
      [{ path: 'l.yaml', text: `tools: [{id: x, description: "${'y'.repeat(400)}", nam: z}]` }],
      {},
    );
    const excerpt = textReport(long.problems, long.files, { colour: false, folder: '/' }).split('\n');
    const caret = excerpt.findIndex((line) => line.endsWith('^'));
    expect(excerpt[caret - 1]?.slice((excerpt[caret]?.length ?? 0) - 1)).toMatch(/^nam: z/);
  });
});

describe('jsonReport', () => {
  it('counts and lists', () => {
    const report = JSON.parse(jsonReport(parsed.problems, 3, '/w')) as { valid: boolean; problems: object[] };
    expect(report).toMatchObject({ valid: false, files: 3, errors: parsed.problems.length, warnings: 0 });
    expect(report.problems).toContainEqual({
      severity: 'error',
      rule: 'unknown-key',
      message: expect.stringContaining('did you mean "description"') as string,
      file: 'c.yaml',
      line: 2,
      column: 13,
      suggestion: 'description',
    });
  });
});

describe('sarifReport', () => {
  it('is SARIF 2.1.0 with rules, levels and relative addresses', () => {
    const log = JSON.parse(sarifReport(parsed.problems, '/w', '1.2.3')) as {
      version: string;
      runs: {
        tool: { driver: { rules: { id: string }[] } };
        results: { ruleId: string; ruleIndex: number }[];
      }[];
    };
    const [run] = log.runs;
    expect(log.version).toBe('2.1.0');
    for (const result of run?.results ?? []) {
      expect(run?.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
    }
    expect(JSON.stringify(log)).toContain('"uri":"a%20b.yaml","uriBaseId":"%SRCROOT%"');
  });
});
