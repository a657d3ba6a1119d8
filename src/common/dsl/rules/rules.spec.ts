import { describe, expect, it } from 'vitest';
import type { Processor } from '../../engine/api/processor.js';
import * as fields from '../../engine/api/fields/index.js';
import { StepType } from '../../engine/api/step-type.js';
import { parseSources } from '../parse-workspace.js';
import { validateWorkspace } from '../validate-workspace.js';

const idle: Processor = () => {};

class Target extends StepType {
  readonly keyword = 'target';
  override readonly aliases = ['to'];
  readonly description = 'Sends.';
  readonly shape = { target: fields.uri('Where to.', { inline: true, shorthand: true }) };
  compile = () => idle;
}
class Choice extends StepType {
  readonly keyword = 'choice';
  readonly description = 'Branches.';
  readonly shape = {
    when: fields.groups('Branches.', { starlang: fields.predicate('If.'), steps: fields.steps('Then.') }),
    otherwise: fields.steps('Else.', { optional: true }),
  };
  compile = () => idle;
}
class Stop extends StepType {
  readonly keyword = 'stop';
  readonly description = 'Ends.';
  readonly shape = {};
  compile = () => idle;
}
class Throw extends StepType {
  readonly keyword = 'throw';
  readonly description = 'Fails.';
  readonly shape = { message: fields.text('Why.', null, { shorthand: true }) };
  compile = () => idle;
}

function findings(text: string): readonly string[] {
  const parsed = parseSources([{ path: 'w.yaml', text }], {});
  const checks = {
    components: [],
    steps: [new Target(), new Choice(), new Stop(), new Throw()],
    builder: { check: () => [] },
    checkScript: () => ({ errors: [], warnings: [] }),
    schemas: { compile: () => () => [] },
  };
  return validateWorkspace(parsed, checks)
    .filter(({ severity }) => severity !== 'info')
    .map(
      ({ severity, rule, place, message }) => `${severity} ${rule} ${place.line}:${place.column} ${message}`,
    );
}

const when = (steps: string): string =>
  `- choice:\n    when:\n      - starlang: "true"\n        steps: [${steps}]`;

const workflow = (id: string, steps: string): string =>
  `  - id: ${id}\n    from: direct://${id}\n    steps:\n${steps.replace(/^/gm, '      ')}\n`;

describe('field-default', () => {
  it('finds defaults and enum values of the wrong type, nested too', () => {
    expect(
      findings(`tools:
  - id: t
    input:
      a: { type: integer, default: "ten" }
      b: { type: string, enum: [x, y], default: z }
      c: { type: object, fields: { d: { type: boolean, default: 1 } } }
      e: { type: array, items: { type: number, enum: [1, two] } }
      f: { type: date, default: 5 }
      h: { type: number, default: 1.5, enum: [1.5] }`),
    ).toEqual([
      'error field-default 4:36 The default of "a" is no integer.',
      'error field-default 5:49 The default of "b" is not among its enum: "x", "y".',
      'error field-default 6:65 The default of "c.d" is no boolean.',
      'error field-default 7:54 "two" in the enum of "e[]" is no number.',
    ]);
  });
});

describe('unknown-argument', () => {
  it('finds arguments a rule reads but the tool does not declare', () => {
    expect(
      findings(`tools:
  - id: t
    input:
      amount: { type: number }
    validate:
      rules:
        - name: r
          reason: no
          expr: |
            args.amount > 0 and
              args["amuont"] < 10
        - { name: s, reason: no, expr: 'args.amount > 0' }`),
    ).toEqual([
      'warning unknown-argument 11:15 The rule "r" reads the argument "amuont", which is not declared; did you mean "amount"?',
    ]);
  });
});

describe('unreachable-step', () => {
  it('finds steps behind stop and throw, in branches too', () => {
    const found = findings(
      `workflows:\n${workflow('a', '- choice:\n    when:\n      - starlang: "true"\n        steps:\n          - throw: no\n          - stop:\n- stop:\n- target: direct://b')}`,
    );
    expect(found).toHaveLength(2);
    expect(found[0]).toContain('unreachable-step 10:');
    expect(found[1]).toContain('unreachable-step 12:');
  });

  it('passes over disabled steps', () => {
    expect(
      findings(`workflows:\n${workflow('a', '- { stop: , disabled: true }\n- target: direct://b')}`),
    ).toEqual([]);
  });
});

describe('endless-cycle', () => {
  it('finds workflows and tools that always call each other', () => {
    const found = findings(
      `workflows:\n${workflow('a', '- to: direct://b?x=1')}${workflow('b', '- target: { uri: tool://t }')}tools:\n  - id: t\n    steps: [{to: direct://a}]`,
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('direct://a → direct://b → tool://t → direct://a');
  });

  it('leaves a call under a condition, behind a stop, or disabled alone', () => {
    expect(findings(`workflows:\n${workflow('a', when('{to: direct://a}'))}`)).toEqual([]);
    expect(findings(`workflows:\n${workflow('a', `${when('{stop: }')}\n- to: direct://a`)}`)).toEqual([]);
    expect(findings(`workflows:\n${workflow('a', '- { to: direct://a, disabled: true }')}`)).toEqual([]);
  });
});

describe('unread-section', () => {
  it('says which component would read the section', () => {
    expect(findings('agents:\n  - id: a').join()).toContain('warning unread-section 2:3');
  });
});

const reader = (steps: string): string =>
  `workflows:\n  - id: q\n    from: seda://q\n    steps:\n${steps.replace(/^/gm, '      ')}\n`;

describe('seda-deadlock', () => {
  it.each([
    ['- target: seda://q', 5],
    [when('{ target: seda://q?timeout=5s }'), 8],
    ['- target: { uri: seda://q, parameters: { wait: always } }', 5],
  ])('finds %s', (steps, line) => {
    const [found] = findings(reader(steps));
    expect(found).toMatch(new RegExp(`^warning seda-deadlock ${line}:`));
    expect(found).toContain('wait=never');
  });

  it('finds the way over direct calls and other queues', () => {
    const found = findings(
      reader('- target: direct://d') +
        workflow('d', when('{ target: seda://second }')) +
        workflow('second', '- target: seda://q').replace('direct://second', 'seda://second'),
    );
    expect(found.filter((line) => line.includes('seda-deadlock'))).toHaveLength(2);
  });

  it.each(['- target: seda://q?wait=never', '- target: seda://other', '- target: direct://q'])(
    'is content with %s',
    (steps) => expect(findings(reader(steps))).toEqual([]),
  );
});

describe('missing-connection', () => {
  it('finds a sql target without its connection, and the name that was meant', () => {
    const text = `connections:
  orders: { url: postgres://db/orders }
workflows:
  - id: w
    from: direct://w
    steps:
      - target: { uri: sql://oders, parameters: { query: select 1 } }
      - target: sql://orders?query=select 1
`;
    expect(findings(text)).toEqual([
      'error missing-connection 7:24 The section "connections" has no "oders"; did you mean "orders"?',
    ]);
    expect(findings(workflow('w', '- target: sql://x').replace(/^/, 'workflows:\n'))).toEqual([
      'error missing-connection 5:17 The section "connections" has no "x": add it with the url of the database.',
    ]);
  });
});
