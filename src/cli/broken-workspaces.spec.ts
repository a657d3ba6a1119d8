import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkWorkspace } from './workspace-check.js';

/** Each error as `line:column rule`, with the message behind it. */
async function errorsOf(text: string): Promise<readonly (readonly [string, string])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'helix-broken-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'w.yaml');
  writeFileSync(file, text);
  const { problems } = await checkWorkspace([file], {});
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ place, rule, message }) => [`${place.line}:${place.column} ${rule}`, message] as const);
}

const head = 'workflows:\n  - id: a\n';

it.each([
  [
    'a list indented otherwise than its neighbours',
    `${head}    from: direct://a\n   steps:\n      - log: hi\n`,
    [['4:4 yaml-syntax', 'indent it as the lines it belongs to']],
  ],
  [
    'tabs',
    `${head}\tfrom: direct://a\n\tsteps: []\n`,
    [
      ['3:1 yaml-syntax', 'use spaces'],
      ['4:1 yaml-syntax', 'use spaces'],
    ],
  ],
  [
    'a quote that stays open',
    `${head}    from: direct://a\n    steps:\n      - set-body: "unclosed\n      - log: x\n`,
    [['5:19 yaml-syntax', 'add the closing quote']],
  ],
  [
    'two colons in a line',
    `${head}    description: see: there\n    from: direct://a\n    steps: []\n`,
    [['3:18 yaml-syntax', 'put the text into quotes']],
  ],
  [
    'no trigger, and steps that are wrong too',
    `${head}    steps:\n      - set-bdy: 1\n      - to: drect://a\n`,
    [
      ['2:5 missing-key', 'write `from: scheme://path`'],
      ['4:9 unknown-step', 'did you mean "set-body"?'],
      ['5:13 unknown-component', 'did you mean "direct://"?'],
    ],
  ],
  [
    'a component that is like no other',
    `${head}    from: kafka://topic\n    steps: [{ log: x }]\n`,
    [['3:11 unknown-component', '`helix components` lists those there are']],
  ],
  [
    'a schedule that is none, and one without',
    `${head}    from: cron://x?schedule=every day\n    steps: [{ log: x }]\n  - id: b\n    from: cron://y\n    steps: [{ log: x }]\n`,
    [
      ['3:11 wrong-option', 'it has five fields (minute, hour, day of month, month, weekday)'],
      ['6:11 wrong-option', 'The option "schedule" must be given.'],
    ],
  ],
] as const)('tells where and what to do: %s', async (_, text, expected) => {
  const found = await errorsOf(text);
  expect(found.map(([where]) => where)).toEqual(expected.map(([where]) => where));
  for (const [at, [, advice]] of expected.entries()) expect(found[at]?.[1]).toContain(advice);
});
