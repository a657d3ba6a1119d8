import { describe, expect, it } from 'vitest';
import { standardSteps } from '../../engine/steps/index.js';
import { parseSources } from '../parse-workspace.js';
import { validateWorkspace } from '../validate-workspace.js';

/** What the rules say of a workspace, of one rule if it is named: `severity line:column message`. */
function findings(text: string, rule: string): readonly string[] {
  const parsed = parseSources([{ path: 'w.yaml', text }], { SECRET: 'hidden.code' });
  expect(parsed.problems).toEqual([]);
  return validateWorkspace(parsed, {
    components: [],
    steps: standardSteps(),
    builder: { check: () => [] },
    checkScript: () => ({ errors: [], warnings: [] }),
    schemas: { compile: () => () => [] },
  })
    .filter((problem) => problem.rule === rule)
    .map(({ severity, place, message }) => `${severity} ${place.line}:${place.column} ${message}`);
}

const workflow = (steps: string, from = 'direct://a', more = ''): string =>
  `workflows:\n  - id: a\n    from: ${from}\n${more}    steps:\n${steps.replace(/^(?=.)/gm, '      ')}\n`;

const inJson = (...list: readonly unknown[]): string =>
  `workflows: ${JSON.stringify([{ id: 'w', from: 'direct://w', steps: list }])}`;

const empty = (from: string): string => `workflows:\n  - id: a\n    from: ${from}\n    steps: []\n`;

const choice = (more: string): string => `tools:
  - id: t
    description: A tool.
    steps:
      - choice:
          when: [{ starlang: payload.ok, steps: [{ set-body: yes }] }]
${more}`;

describe('unset-property', () => {
  it('tells a misspelt property at its place in the script', () => {
    const text = workflow(`- set-property: { name: customer, value: 1 }
- set-body:
    starlang: |
      { a: property("customer"),
        b: vars.custommer, c: vars["x"] }`);
    expect(findings(text, 'unset-property')).toEqual([
      'warning 9:18 The property "custommer" is never set; did you mean "customer"?',
      'warning 9:37 The property "x" is never set: set it with set-property before.',
    ]);
  });

  it.each([
    '- split: { starlang: payload, steps: [{ log: { starlang: "vars.split.index" } }] }',
    '- loop: { count: 2, steps: [{ log: { starlang: "vars.loop.index" } }] }',
    '- enrich: { uri: direct://b, property: answer }\n- set-body: { starlang: "vars.answer" }',
    '- set-body: { starlang: "attributes.queryParams.x" }',
    '- set-body: { starlang: "property(payload.name)" }',
    `- set-body: { starlang: 'property("helix.session.state")' }`,
  ])('is content with %s', (steps) => expect(findings(workflow(steps), 'unset-property')).toEqual([]));
});

describe('unset-header', () => {
  const reading = `- set-header: { name: X-Tenant, value: blue }\n- set-body: { starlang: 'header("x-tenent") ++ headers.colour ++ header("HelixToolID") ++ header("x-tenant")' }`;

  it('tells what nobody can have set', () => {
    expect(findings(workflow(reading), 'unset-header')).toEqual([
      'warning 6:32 The header "x-tenent" is never set; did you mean "X-Tenant"?',
      'warning 6:54 The header "colour" is never set, and nothing here lets headers in from outside: set it with set-header before.',
    ]);
  });

  it.each([
    ['a trigger that lets headers in', workflow(reading, 'http-server://127.0.0.1:80/')],
    ['a server that answers with headers', workflow(`- to: https://example.com\n${reading}`)],
    ['a computed target', workflow(`- recipient-list: { starlang: payload.uris }\n${reading}`)],
  ])('is silent beside %s', (_, text) => expect(findings(text, 'unset-header')).toEqual([]));
});

describe('unknown-code', () => {
  it('tells codes that are none, and those that are nearly one', () => {
    const text = workflow(`- throw: { code: nope, value: no }
- throw: { code: TIMED_OUT, value: no }
- throw: { code: TOOL.UNKNOWN_TOL, value: no }
- throw: { code: SHOP.CLOSED, value: no }
- throw: { code: TOOL.UNKNOWN_TOOL, value: no }
- throw: { code: '\${SECRET}', value: no }
- throw: plain`);
    const form = 'is no error code: write one of the known, or AREA.NAME of your own';
    expect(findings(text, 'unknown-code')).toEqual([
      `error 5:24 "nope" ${form}.`,
      `error 6:24 "TIMED_OUT" ${form}; did you mean "ENGINE.TIMED_OUT"?`,
      'warning 7:24 There is no known error code "TOOL.UNKNOWN_TOL"; did you mean "TOOL.UNKNOWN_TOOL"?',
    ]);
  });

  it('tells a match that takes nothing', () => {
    const text = `on-exception:
  - match: [SHOP.CLOSED, MCP.*, /any/, mcp.tool_failed, HTTP.TARGET_FAILD]
  - match: MPC.*
  - match: SHOP.OPEN
${workflow('- throw: { code: SHOP.CLOSED, value: no }')}`;
    expect(findings(text, 'unknown-code')).toEqual([
      'warning 2:57 No failure has a code "HTTP.TARGET_FAILD"; did you mean "HTTP.TARGET_FAILED"?',
      'warning 3:12 No failure has a code "MPC.*": it is neither known nor thrown by a step of this workspace.',
      'warning 4:12 No failure has a code "SHOP.OPEN": it is neither known nor thrown by a step of this workspace.',
    ]);
  });
});

describe('shadowed-clause', () => {
  it('tells a clause behind one that takes the same; a narrower one wins wherever it stands', () => {
    const text = `on-exception:
  - handled: true
  - match: MCP.*
    handled: true
  - match: [mcp.*, '*']
    handled: true
${workflow('- log: x')}`;
    expect(findings(text, 'shadowed-clause')).toEqual([
      'warning 5:5 This clause is never taken: the one in line 3 takes the same failures. Narrow that one by when, or merge both.',
    ]);
    expect(
      findings(text.replace('  - handled: true', '  - { handled: true, when: "true" }'), 'shadowed-clause'),
    ).toEqual([]);
  });
});

describe('time-out-order', () => {
  it('tells a target that may take longer than what waits for it', () => {
    const text = workflow(
      `- target: https://example.com?timeout=30s
- target: { uri: seda://b, parameters: { timeout: 500ms } }
- wire-tap: https://example.com?timeout=30s`,
      'direct://a',
      '    timeout: 1500ms\n',
    );
    expect(findings(text, 'time-out-order')).toEqual([
      'warning 6:17 This may take 30s, and "a" is given up after 1500ms: shorten the time-out of the one, or lengthen that of the other.',
    ]);
  });
});

describe('empty-workspace', () => {
  it('tells that nothing is defined, however that is written', () => {
    const told = ['warning 1:1 This workspace defines nothing: write workflows or tools into it.'];
    for (const text of ['', '# to come\n', 'workflows: []\ntools:\n'])
      expect([text, ...findings(text, 'empty-workspace')]).toEqual([text, ...told]);
    expect(findings(empty('timer://t'), 'empty-workspace')).toEqual([]);
    expect(findings('connections: { a: { url: b } }', 'empty-workspace')).toEqual([]);
  });
});

describe('empty-workflow', () => {
  it('tells a timer that does nothing, not a server that serves others', () => {
    expect(findings(empty('timer://t'), 'empty-workflow')).toEqual([
      'warning 2:9 The workflow "a" does nothing: give it steps, or remove it.',
    ]);
    expect(findings(empty('mcp-server://127.0.0.1:0'), 'empty-workflow')).toEqual([]);
    expect(findings(workflow('- log: x', 'cron://c?schedule=@daily'), 'empty-workflow')).toEqual([]);
  });
});

describe('doubtful-schema', () => {
  it('tells misspelt types, keywords and required names in schemas', () => {
    const text = workflow(
      '- validate: { schema: { type: strng } }',
      'direct://a',
      `    input-schema:
      type: object
      requird: [a]
      required: [colour, other]
      properties:
        type: { type: bolean }
        color: { type: [string, 'null'], minLenght: 1, x-unit: mm, unit: cm }
        requird: { type: string, enum: [typ], default: { type: bolean } }
`,
    );
    expect(findings(text, 'doubtful-schema')).toEqual([
      'warning 6:7 JSON Schema has no "requird"; did you mean "required"? It has no effect.',
      'warning 7:18 There is no property "colour" to require; did you mean "color"?',
      'warning 9:23 JSON Schema has no type "bolean"; did you mean "boolean"?',
      'warning 10:42 JSON Schema has no "minLenght"; did you mean "minLength"? It has no effect.',
      'warning 13:37 JSON Schema has no type "strng"; did you mean "string"?',
    ]);
  });

  it('tells a field type that looks misspelt, and leaves one’s own alone', () => {
    const text = `tools:
  - id: t
    description: A tool.
    input:
      a: { type: bolean }
      b: { type: date }
      c: { type: array, items: { type: int } }
      d: { type: url }
    steps: [{ set-body: x }]
`;
    expect(findings(text, 'doubtful-schema')).toEqual([
      'warning 5:18 The type "bolean" is not checked; did you mean "boolean"?',
      'warning 7:40 The type "int" is not checked; did you mean "integer"?',
    ]);
  });
});

describe('remarks', () => {
  it('unused-workflow: a direct workflow that nothing sends to', () => {
    expect(findings(workflow('- to: direct://b'), 'unused-workflow')).toEqual([
      'info 2:9 Nothing in this workspace sends to the workflow "a".',
    ]);
    expect(findings(workflow('- to: direct://a'), 'unused-workflow')).toEqual([]);
    const served = `${workflow('- log: x', 'direct://a', '    input-schema: { type: object }\n')}  - id: mcp\n    from: mcp-server://127.0.0.1:0\n    steps: []\n`;
    expect(findings(served, 'unused-workflow')).toEqual([]);
    const letters = `error-handler: { dead-letter: direct://a }\n${workflow('- log: x')}`;
    expect(findings(letters, 'unused-workflow')).toEqual([]);
  });

  it('effect-before-ask: what is done again with each answer', () => {
    const ask = {
      ask: { questions: { sure: { message: 'Sure?', schema: { type: 'object', properties: {} } } } },
    };
    expect(findings(inJson({ target: 'http://x.example/' }, ask), 'effect-before-ask')).toHaveLength(1);
    expect(findings(inJson(ask, { target: 'http://x.example/' }), 'effect-before-ask')).toEqual([]);
    expect(findings(inJson({ target: 'log://x' }, ask), 'effect-before-ask')).toEqual([]);
  });

  it('repeated-effect: a retry of what is not safe to do twice', () => {
    const handler = '    error-handler: { retries: 2 }\n';
    const post = '- to: https://example.com?method=POST';
    expect(findings(workflow(post, 'direct://a', handler), 'repeated-effect')).toHaveLength(1);
    expect(findings(workflow(post), 'repeated-effect')).toEqual([]);
    const once = `- idempotent: { key: { starlang: payload.id }, steps: [{ to: 'https://example.com?method=POST' }] }`;
    expect(findings(workflow(once, 'direct://a', handler), 'repeated-effect')).toEqual([]);
  });

  it('choice-without-otherwise: a tool whose result hangs on a condition', () => {
    expect(findings(choice(''), 'choice-without-otherwise')).toEqual([
      'info 5:9 Where no condition holds, the result is whatever came in: add otherwise, or throw there.',
    ]);
    expect(findings(choice('          otherwise: [{ throw: no }]\n'), 'choice-without-otherwise')).toEqual(
      [],
    );
  });
});
