import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSources, parseWorkspace } from './parse-workspace.js';
import type { Variables } from './source/substitute.js';

function parse(text: string, variables: Variables = {}) {
  const parsed = parseSources([{ path: 'w.yaml', text }], variables);
  return {
    ...parsed.definition,
    found: parsed.problems.map(
      ({ place, rule, message }) => `${place.line}:${place.column} ${rule}: ${message}`,
    ),
  };
}

const searchTool = `
tools:
  - id: search
    description: "Search the knowledge base"
    input:
      query: { type: string, description: "Search query", required: true }
      limit: { type: integer, default: 10 }
    output:
      results: { type: array, items: { type: object, fields: { title: { type: string } } } }
    validate:
      rules:
        - { name: some, expr: 'args["limit"] > 0', reason: "limit must be positive" }
    timeout: 5s
    side-effects: read
    pricing: { model: per_call, micros: 1500 }
    steps:
      - set-body: { value: 1 }
`;

describe('parseWorkspace', () => {
  it('reads a tool with its fields, rules and policy', () => {
    const { tools, found } = parse(searchTool);
    expect(found).toEqual([]);
    expect(tools).toHaveLength(1);
    expect(tools[0]).toMatchObject({
      definition: {
        id: 'search',
        input: { query: { type: 'string', required: true }, limit: { type: 'integer', default: 10 } },
        output: {
          results: { type: 'array', items: { type: 'object', fields: { title: { type: 'string' } } } },
        },
        validateSchema: true,
        rules: [{ name: 'some', expr: 'args["limit"] > 0', reason: 'limit must be positive' }],
        policy: {
          timeoutMs: 5000,
          maxResultBytes: 1_048_576,
          sideEffects: 'read',
          redispatch: 'never',
          requiresProject: false,
        },
        pricing: { model: 'per_call', micros: 1500, estimateMicros: 1500, note: null },
      },
      place: { file: 'w.yaml', line: 3, column: 9 },
      steps: [{ keyword: 'set-body', disabled: false }],
    });
  });

  it('reads what a tool costs: free, a fixed price, or an estimate of what the route will tell', () => {
    const pricing = (written: string) =>
      parse(searchTool.replace('{ model: per_call, micros: 1500 }', written)).tools[0]?.definition.pricing;
    const note = null;
    expect(pricing('{}')).toEqual({ model: 'free', micros: null, estimateMicros: 0, note });
    expect(pricing('{ model: per_call, estimate-micros: 9 }')).toEqual({
      model: 'per_call',
      micros: null,
      estimateMicros: 9,
      note,
    });
    expect(pricing('{ model: per_result }')).toEqual({
      model: 'per_result',
      micros: null,
      estimateMicros: null,
      note,
    });
    const { found } = parse(searchTool.replace('model: per_call', 'model: free'));
    expect(found).toEqual([expect.stringMatching(/^15:14 conflicting-keys: .*not free/)]);
  });

  it('reads a workflow with trigger and parameters, or with from', () => {
    const { workflows, found } = parse(`
workflows:
  - id: a.b-c
    description: d
    trigger: { uri: 'http-server://0.0.0.0:8080/x', parameters: { method: POST } }
    timeout: 30s
    steps:
      - { id: first, description: say, disabled: true, log: hello }
  - id: two
    from: direct://two
    steps: []`);
    expect(found).toEqual([]);
    expect(workflows[0]).toMatchObject({
      id: 'a.b-c',
      trigger: { uri: 'http-server://0.0.0.0:8080/x', parameters: { method: 'POST' } },
      timeoutMs: 30_000,
      steps: [{ keyword: 'log', id: 'first', description: 'say', disabled: true }],
    });
    expect(workflows[1]).toMatchObject({ id: 'two', trigger: { uri: 'direct://two' }, steps: [] });
  });

  it('reports every problem at once, with place and suggestion', () => {
    const { problems } = parseSources(
      [
        {
          path: 'w.yaml',
          text: `
workflow:
  - id: x
tools:
  - id: bad id!
    descripton: x
    side-effects: writes
  - id: connections
    steps: []
workflows:
  - id: a
    steps: []
  - id: b
    from: direct://b
    trigger: { uri: direct://b }
    steps:
      - log: x
        set-body: y
`,
        },
      ],
      {},
    );
    expect(problems.map(({ place, rule, suggestion }) => [place.line, rule, suggestion])).toEqual([
      [2, 'unknown-key', 'workflows'],
      [5, 'wrong-value', undefined],
      [6, 'unknown-key', 'description'],
      [7, 'wrong-value', undefined],
      [8, 'reserved-id', undefined],
      [11, 'missing-key', undefined],
      [14, 'conflicting-keys', undefined],
      [18, 'wrong-step', undefined],
    ]);
  });

  it('refuses a promise it would not keep', () => {
    const text = 'workflows:\n  - id: a\n    from: direct://a\n    durable: true\n    steps: []';
    const { problems } = parseSources([{ path: 'w.yaml', text }], {});
    expect(problems.map(({ place, rule }) => [place.line, rule])).toEqual([[4, 'durable-workflow']]);
  });

  it('names both places of a duplicate id, over files and over tools and workflows', () => {
    const { problems } = parseSources(
      [
        { path: 'a.yaml', text: 'tools:\n  - id: x\n    steps: []\n  - id: y\n    steps: [{log: a}]' },
        {
          path: 'b.yaml',
          text: 'tools:\n  - id: x\nworkflows:\n  - id: y\n    from: direct://y\n    steps: []',
        },
      ],
      {},
    );
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/"x" .*by the tool at a\.yaml:2\./),
      expect.stringMatching(/"y" .*by the tool at a\.yaml:4\./),
    ]);
  });

  it('lets a workflow that listens on a tool bear its name', () => {
    expect(
      parse('tools:\n  - id: x\nworkflows:\n  - id: x\n    from: tool://x\n    steps: []').found,
    ).toEqual([]);
  });

  it('fills variables in URIs per option and keeps the rest of the URI as it is', () => {
    const { workflows, found } = parse(
      `
workflows:
  - id: mcp-server
    trigger:
      uri: mcp-server://0.0.0.0:8181?workflows=search,translate&api_keys=\${MCP_KEY}&cors_origins=*
    steps: []`,
      { MCP_KEY: 'a&cors_origins=evil#b' },
    );
    expect(found).toEqual([]);
    expect(workflows[0]?.trigger.uri).toBe(
      'mcp-server://0.0.0.0:8181?workflows=search,translate&api_keys=a%26cors_origins%3Devil%23b&cors_origins=*',
    );
    expect(workflows[0]?.trigger.secrets.has('api_keys')).toBe(true);
  });

  it('brings a default that came from a variable to the type of its field', () => {
    const { tools } = parse(
      'tools:\n  - id: t\n    input: {n: {type: integer, default: "${N}"}, s: {type: string, default: "5"}}',
      {
        N: '7',
      },
    );
    expect(tools[0]?.definition.input).toMatchObject({ n: { default: 7 }, s: { default: '5' } });
  });

  it('never lets a name of Object.prototype pass for a section or a key', () => {
    expect(
      parse('constructor: 1\ntools: [{id: a, toString: 1}]').found.map((line) => line.split(':')[2]),
    ).toHaveLength(2);
  });

  it('reports a broken file and still reads the others', () => {
    const { definition, problems } = parseSources(
      [
        { path: 'a.yaml', text: 'tools: [' },
        { path: 'b.yaml', text: 'tools:\n  - id: fine' },
      ],
      {},
    );
    expect(problems.map(({ rule }) => rule)).toContain('yaml-syntax');
    expect(definition.tools).toHaveLength(1);
  });

  describe('from files and folders', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'helix-dsl-'));
      await mkdir(join(folder, 'deep', 'er'), { recursive: true });
      await mkdir(join(folder, '.hidden'));
      await mkdir(join(folder, 'empty'));
      await writeFile(join(folder, 'b.yaml'), 'tools:\n  - id: b\n    description: ${D}');
      await writeFile(join(folder, 'a.yml'), 'tools:\n  - id: a');
      await writeFile(join(folder, 'deep', 'er', 'c.yaml'), 'tools:\n  - id: c');
      await writeFile(join(folder, '.hidden', 'd.yaml'), 'nonsense: 1');
      await writeFile(join(folder, 'notes.txt'), 'no');
      await writeFile(join(folder, 'empty', 'latin.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe4]));
      await symlink(folder, join(folder, 'deep', 'loop'));
    });
    afterAll(() => rm(folder, { recursive: true }));

    it('walks folders in the order of names, reads a file once, fills variables', async () => {
      const { definition, problems } = await parseWorkspace(
        [join(folder, 'b.yaml'), join(folder, 'deep', 'er'), join(folder, 'a.yml'), join(folder, 'b.yaml')],
        { D: 'from here' },
      );
      expect(problems).toEqual([]);
      expect(definition.tools.map((tool) => tool.definition.id)).toEqual(['b', 'c', 'a']);
      expect(definition.tools[0]?.definition.description).toBe('from here');
    });

    it('survives a link to its own folder', async () => {
      const { definition } = await parseWorkspace([folder], { D: '' });
      expect(definition.tools.map((tool) => tool.definition.id)).toEqual(['a', 'b', 'c']);
    });

    it('says what it could not read', async () => {
      const { problems } = await parseWorkspace([join(folder, 'gone.yaml'), join(folder, 'empty')], {});
      expect(problems.map(({ message }) => message)).toEqual([
        'The file is not UTF-8 text.',
        expect.stringContaining('does not exist'),
      ]);
    });
  });
});
