import { describe, expect, it } from 'vitest';
import { DirectComponent } from '../../components/direct/index.js';
import type { ExpressionLanguage } from '../engine/api/expression.js';
import { literal } from '../engine/api/fields/index.js';
import { HelixError } from '../engine/errors/helix-error.js';
import { Engine } from '../engine/runtime/engine.js';
import { standardSteps } from '../engine/steps/index.js';
import { parseSources } from './parse-workspace.js';
import type { ScriptCheck } from './scripts.js';
import { validateWorkspace } from './validate-workspace.js';

/** A language in which only `oops` is wrong and `hm` is doubtful: the places are what matters here. */
const checkScript: ScriptCheck = (source) => ({
  errors: [...source.matchAll(/oops/g)].map(({ index }) => ({
    message: 'oops is wrong.',
    ...placeOf(source, index),
  })),
  warnings: [...source.matchAll(/hm/g)].map(({ index }) => ({ message: 'hm?', ...placeOf(source, index) })),
});

const language: ExpressionLanguage = {
  compile(source) {
    if (checkScript(source).errors.length === 0) return literal(null);
    throw new HelixError('EXPRESSION.INVALID_SCRIPT', `Does not compile: ${source}`);
  },
};

function placeOf(source: string, index: number): { line: number; column: number } {
  const before = source.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function findings(text: string, variables: Record<string, string> = {}): readonly string[] {
  const components = [new DirectComponent()];
  const steps = standardSteps();
  const builder = new Engine({
    components,
    steps,
    interceptors: [],
    language,
    clock: { now: () => 0, schedule: () => () => {} },
    ids: { next: () => '' },
    log: { write: () => {} },
  });
  const parsed = parseSources([{ path: 'w.yaml', text }], variables);
  return validateWorkspace(parsed, {
    components,
    steps,
    builder,
    checkScript,
    schemas: { compile: () => () => [] },
  })
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, place, message }) => `${place.line}:${place.column} ${rule} ${message}`);
}

const flow = (steps: string): string => `workflows:\n  - id: a\n    from: direct://a\n    steps:\n${steps}`;

describe('validateWorkspace', () => {
  it('finds every mistake of a script at its place inside the YAML', () => {
    expect(
      findings(
        flow(`      - set-body:
          starlang: |
            fine
              and oops
            then oops
      - filter: "a \\"b\\" oops"
      - choice:
          when:
            - starlang: 'hm'
              steps: [{ set-body: { starlang: oops } }]
`),
      ),
    ).toEqual([
      '8:19 wrong-script oops is wrong.',
      '9:18 wrong-script oops is wrong.',
      '10:26 wrong-script oops is wrong.',
      '13:26 doubtful-script hm?',
      '14:47 wrong-script oops is wrong.',
    ]);
  });

  it('says a range in words that read well', () => {
    expect(findings(`${flow('      - stop:\n')}    error-handler: { retries: many }\n`)).toEqual([
      '6:31 wrong-value This must be a whole number from 0 to 1000.',
    ]);
  });

  it('does not quote a script that holds a secret', () => {
    const found = findings(flow('      - set-body: { starlang: "oops ${S}" }'), { S: 'hush' });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('5:31 wrong-script');
    expect(found[0]).not.toContain('hush');
  });

  it('finds unknown steps, components, options and targets with suggestions', () => {
    expect(
      findings(
        flow(`      - set-boddy: { value: 1 }
      - to: dirct://a
      - to: direct://b?timeout=5s
      - to: direct://bb
  - id: b
    from: direct://bc
    steps: [{ set-body: { valeu: 1 } }]`),
      ).map((line) => line.split(' ').slice(0, 2).join(' ')),
    ).toEqual([
      '5:9 unknown-step',
      '6:13 unknown-component',
      '7:13 unknown-option',
      '8:13 missing-target',
      '11:25 missing-key',
      '11:27 unknown-key',
    ]);
  });

  it('never shows the value of a variable in what it reports about a URI', () => {
    const found = [...findings(flow('      - to: "direct://x${A}?b=${B}"'), { A: 'hush1', B: 'hush2' })];
    found.push(...findings(flow('      - to: "direct://x${A}"'), { A: 'hush1' }));
    found.push(
      ...findings(flow('      - to: direct://a').replace(/direct:\/\/a/g, 'direct://${A}'), { A: 'hush1' }),
    );
    expect(found.map((line) => line.split(' ')[1])).toEqual([
      'unknown-option',
      'missing-target',
      'endless-cycle',
    ]);
    expect(found.join()).not.toMatch(/hush/);
  });
});
