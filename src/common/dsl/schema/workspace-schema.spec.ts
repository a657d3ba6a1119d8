import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { contractSnippets } from '../testing/contract-snippets.js';

const schema = JSON.parse(
  readFileSync(new URL('../workflow.schema.json', import.meta.url), 'utf8'),
) as object;
const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);

function problems(text: string): readonly string[] {
  validate(parse(text));
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

const step = (keyword: string, options: string): string =>
  `workflows: [{ id: a, from: 'direct://a', steps: [{ ${keyword}: { uri: 'seda://queue', parameters: ${options} } }] }]`;

describe('workflow.schema.json', () => {
  it.each(Object.entries(contractSnippets))('accepts the contract: %s', (_, text) => {
    expect(problems(text)).toEqual([]);
  });

  it('accepts variables where a number or a truth value is asked for', () => {
    expect(
      problems(`workflows:
  - id: a
    trigger: { uri: 'http-server://0.0.0.0:8080/x', parameters: { timeout: '\${T:5s}', method: POST } }
    disabled: \${OFF:false}
    timeout: 30s
    steps: [{ log: hello }, { to: direct://x, id: there }]`),
    ).toEqual([]);
  });

  it.each([
    ['a misspelt section', 'workflow: []', ' additionalProperties'],
    ['a misspelt key', 'tools: [{ id: a, descripton: x }]', '/tools/0 additionalProperties'],
    ['a bad id', 'tools: [{ id: "a b" }]', '/tools/0/id pattern'],
    ['two keywords in a step', 'tools: [{ id: a, steps: [{ log: x, stop: }] }]', '/tools/0/steps/0 oneOf'],
    ['an unknown step', 'tools: [{ id: a, steps: [{ lgo: x }] }]', '/tools/0/steps/0 additionalProperties'],
    [
      'an unknown option',
      'workflows: [{ id: a, trigger: { uri: "mcp-server://:8181", parameters: { api_kyes: x } }, steps: [] }]',
      '/workflows/0/trigger/parameters additionalProperties',
    ],
  ])('refuses %s', (_, text, expected) => {
    expect(problems(text)).toContain(expected);
  });
});

describe('the options of a step’s target', () => {
  it.each(['target', 'to', 'wire-tap', 'enrich'])('of %s are those of its scheme', (keyword) => {
    expect(problems(step(keyword, '{ size: 10 }'))).toEqual([]);
    expect(problems(step(keyword, '{ sise: 10 }'))).toContain(
      `/workflows/0/steps/0/${keyword}/parameters additionalProperties`,
    );
  });

  it('leave scripts, texts and schemes in variables alone', () => {
    expect(
      problems(`workflows:
  - id: a
    from: direct://a
    steps:
      - target: seda://queue
      - target: { starlang: '"seda://queue"' }
      - target: { uri: '\${WHERE}', parameters: { sise: 1 } }
      - wire-tap: { steps: [{ log: x }] }`),
    ).toEqual([]);
  });
});
