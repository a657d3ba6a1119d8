import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkWorkspace } from './workspace-check.js';

/** What the rule says of a workspace: `severity line:column message`. */
async function findings(text: string, rule: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'helix-schema-rules-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'w.yaml');
  writeFileSync(file, text);
  const { problems } = await checkWorkspace([file], { SECRET: 'hidden' });
  return problems
    .filter((problem) => problem.rule === rule)
    .map(({ severity, place, message }) => `${severity} ${place.line}:${place.column} ${message}`);
}

const workflow = (steps: string, from = 'direct://a', more = ''): string =>
  `workflows:\n  - id: a\n    from: ${from}\n${more}    steps:\n${steps.replace(/^(?=.)/gm, '      ')}\n`;

const toolTaking = (schema: string): string => `tools:
  - id: t
    description: A tool.
    input-schema: ${schema}
    steps: [{ set-body: x }]
`;

const toolGiving = (steps: string): string => `tools:
  - id: t
    description: A tool.
    output: { degrees: { type: number, required: true } }
${steps}`;

describe('schema-example', () => {
  it('holds examples and defaults against the schema they stand in, at the part that is wrong', async () => {
    const schema = `
      type: object
      properties:
        city: { type: string, default: 7 }
        days: { $ref: '#/$defs/days', example: many }
        place: { type: object, required: [lat], properties: { lat: { type: number } }, examples: [{ lat: 1 }, { lat: north }, {}] }
      $defs:
        days: { type: integer, examples: [3, 0.5] }`;
    expect(await findings(toolTaking(schema), 'schema-example')).toEqual([
      'warning 7:40 The schema refuses its own default: it must be string. Correct the default or the schema.',
      'warning 8:48 The schema refuses its own example: it must be integer. Correct the example or the schema.',
      'warning 9:118 The schema refuses its own example: /lat must be number. Correct the example or the schema.',
      'warning 9:127 The schema refuses its own example: /lat is required. Correct the example or the schema.',
      'warning 11:46 The schema refuses its own example: it must be integer. Correct the example or the schema.',
    ]);
  });

  it.each([
    '{ type: string, default: "${SECRET}", maxLength: 1 }',
    '{ $ref: "https://example.com/elsewhere", example: 1 }',
    '{ type: object, properties: { default: { type: integer } }, example: { default: 1 } }',
  ])('is content with %s', async (schema) =>
    expect(await findings(toolTaking(schema), 'schema-example')).toEqual([]),
  );

  it('looks into the schema of a validate step too', async () => {
    const text = workflow('- validate: { schema: { type: integer, example: one } }');
    expect(await findings(text, 'schema-example')).toHaveLength(1);
  });
});

describe('wrong-result', () => {
  it('holds a written-out result against the output of its tool', async () => {
    const ofTool = toolGiving(`    steps:
      - choice:
          when: [{ starlang: payload.ok, steps: [{ set-body: { value: { degrees: 21 } } }] }]
          otherwise: [{ set-body: { value: { degrees: warm } } }, { log: done }]
`);
    expect(await findings(ofTool, 'wrong-result')).toEqual([
      'warning 8:55 This result of the tool "t" is not what its output says: /degrees must be number. Correct the value or the output.',
    ]);
    const ofWorkflow = toolGiving(workflow('- set-body: { value: { degree: 21 } }', 'tool://t'));
    expect(await findings(ofWorkflow, 'wrong-result')).toEqual([
      'warning 9:28 This result of the tool "t" is not what its output says: /degrees is required. Correct the value or the output.',
    ]);
    const ofCall = workflow('- set-body: 5', 'direct://a', '    output-schema: { type: string }\n');
    expect(await findings(ofCall, 'wrong-result')).toEqual([
      'warning 6:19 This result of the workflow "a" is not what its output says: it must be string. Correct the value or the output.',
    ]);
  });

  it.each([
    ['what is computed', '- set-body: { starlang: payload }'],
    ['JSON as text', `- set-body: '{ "degrees": 21 }'`],
    ['a body that is replaced afterwards', '- set-body: x\n- to: direct://b'],
    ['what a variable fills in', '- set-body: "${SECRET}"'],
  ])('is content with %s', async (_, steps) =>
    expect(await findings(toolGiving(workflow(steps, 'tool://t')), 'wrong-result')).toEqual([]),
  );
});
