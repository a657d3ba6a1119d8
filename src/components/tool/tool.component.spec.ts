import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { FieldDef, ToolRule } from '../../common/engine/model/tool-definition.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ScriptLanguage } from '../../common/engine/testing/script-language.js';
import { workspaceOf, type ToolInit, type WorkflowInit } from '../../common/engine/testing/source.js';
import { makeEngine, startEngine } from '../../common/engine/testing/test-engine.js';
import { DirectComponent } from '../direct/index.js';
import { inputJsonSchema, outputJsonSchema, ToolComponent } from './index.js';

describeComponent(() => new ToolComponent(new ScriptLanguage()), 'tool://search');

const search: ToolInit = {
  id: 'search',
  description: 'Search the knowledge base',
  input: {
    query: { type: 'string', description: 'Search query', required: true },
    limit: { type: 'integer', description: 'Max results', default: 10 },
  },
  output: { total: { type: 'integer', description: 'Total matches' } },
  steps: [
    {
      'set-body': {
        starlang: '({ payload, args, id: header("HelixToolID"), about: header("helixtooldescription") })',
      },
    },
  ],
};

async function start(tools: readonly ToolInit[], workflows: readonly WorkflowInit[] = []) {
  const tool = new ToolComponent(new ScriptLanguage());
  const { engine } = await startEngine({ components: [tool, new DirectComponent()], tools, workflows });
  return { engine, tool };
}

/** A tool of these fields that answers its arguments. */
async function call(
  input: Readonly<Record<string, FieldDef>>,
  body: unknown,
  rules: readonly ToolRule[] = [],
): Promise<Exchange> {
  const { engine } = await start([
    { id: 't', input, rules, steps: [{ 'set-header': { name: 'ran', value: true } }] },
  ]);
  return engine.request('tool://t', { body });
}

describe('a call of tool://', () => {
  it('makes the arguments the body, with defaults, and names the tool in headers', async () => {
    const { engine } = await start([search]);
    const exchange = await engine.request('tool://search', { body: { query: 'x' } });
    const args = { query: 'x', limit: 10 };
    expect(exchange.body).toEqual({ payload: args, args, id: 'search', about: 'Search the knowledge base' });
  });

  it.each([
    ['a map', { query: 'x' }, { query: 'x' }],
    ['JSON text', '{"query":"x"}', { query: 'x' }],
    ['JSON bytes', Buffer.from('{"query":"ü"}'), { query: 'ü' }],
    ['other text', 'plain words', { input: 'plain words' }],
    ['other bytes', Buffer.from('plain'), { input: 'plain' }],
    ['JSON that is no map', '[1,2]', { input: '[1,2]' }],
    ['nothing', null, {}],
  ])('takes %s as arguments', async (_what, body, expected) => {
    expect((await call({}, body)).body).toEqual(expected);
  });

  it('runs nothing when the arguments are wrong, and says what to correct', async () => {
    const exchange = await call(
      { currency: { type: 'string', required: true, enum: ['USD', 'EUR'] } },
      { currency: 'GBP' },
    );
    expect(exchange.failure).toMatchObject({
      code: 'TOOL.INVALID_ARGUMENTS',
      message: 'tool "t" input validation failed: /currency must be one of "USD", "EUR"',
      fields: [{ path: '/currency', code: 'enum', message: 'must be one of "USD", "EUR"' }],
    });
    expect(exchange.headers.has('ran')).toBe(false);
  });

  it('names the first violation in the message and every one in the fields', async () => {
    const exchange = await call(
      { a: { type: 'string', required: true }, b: { type: 'boolean' }, c: { type: 'array' } },
      { b: 'yes', c: {} },
    );
    expect(exchange.failure?.message).toBe('tool "t" input validation failed: /a is required');
    expect(exchange.failure?.fields?.map(({ path, code }) => `${path} ${code}`)).toEqual([
      '/a required',
      '/b type',
      '/c type',
    ]);
  });

  it.each<[string, FieldDef, unknown, boolean]>([
    ['integer', { type: 'integer' }, 5, true],
    ['integer', { type: 'integer' }, 5.0, true],
    ['integer', { type: 'integer' }, '5', false],
    ['number', { type: 'number' }, 5, true],
    ['number', { type: 'number' }, Number.NaN, false],
    ['string', { type: 'string' }, 5, false],
    ['boolean', { type: 'boolean' }, 'true', false],
    ['object', { type: 'object' }, [], false],
    ['object', { type: 'object' }, {}, true],
    ['array', { type: 'array' }, {}, false],
    ['a type nobody knows', { type: 'email' }, 5, true],
    ['a required null', { type: 'string', required: true }, null, false],
  ])('%s: %j with %j passes: %s', async (_type, field, value, passes) => {
    expect((await call({ x: field }, { x: value })).isFailed()).toBe(!passes);
  });

  it('checks nested fields and items, with pointers to what is wrong', async () => {
    const input: Record<string, FieldDef> = {
      'a/b': {
        type: 'object',
        fields: {
          from: { type: 'string', required: true },
          deep: { type: 'object', fields: { n: { type: 'integer' } } },
        },
      },
      tags: {
        type: 'array',
        items: { type: 'object', fields: { name: { type: 'string', required: true } } },
      },
    };
    const exchange = await call(input, { 'a/b': { deep: { n: 'x' } }, tags: [{ name: 'ok' }, {}, 5] });
    expect(exchange.failure?.fields?.map(({ path }) => path)).toEqual([
      '/a~1b/from',
      '/a~1b/deep/n',
      '/tags/1/name',
      '/tags/2',
    ]);
  });

  it('fills in nested defaults, and never lets a call change what is declared', async () => {
    const input: Record<string, FieldDef> = {
      filter: { type: 'object', default: { tags: ['a'] } },
      page: { type: 'object', fields: { size: { type: 'integer', default: 20 } } },
    };
    const { engine } = await startEngine({
      components: [new ToolComponent(new ScriptLanguage())],
      processors: {
        spoil: (exchange) => {
          (exchange.body as { filter: { tags: string[] } }).filter.tags.push('spoilt');
        },
      },
      tools: [{ id: 't', input, steps: [{ target: 'test://spoil' }] }],
    });
    for (let turn = 0; turn < 2; turn++) {
      const exchange = await engine.request('tool://t', { body: { page: {} } });
      expect(exchange.body).toEqual({ filter: { tags: ['a', 'spoilt'] }, page: { size: 20 } });
    }
    expect(input['filter']?.default).toEqual({ tags: ['a'] });
  });

  it('takes arguments with the names of what every object inherits as plain names', async () => {
    const input = Object.fromEntries<FieldDef>([
      ['constructor', { type: 'string', required: true }],
      ['toString', { type: 'string', required: true }],
    ]);
    expect((await call(input, {})).failure?.fields?.map(({ path }) => path)).toEqual([
      '/constructor',
      '/toString',
    ]);
    const exchange = await call({}, '{"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.keys(exchange.body as object)).toEqual(['__proto__', 'constructor']);
    expect((exchange.body as { polluted?: boolean }).polluted).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('turns no argument into a header', async () => {
    const exchange = await call({}, { HelixHttpStatus: 500, ran: 'no', 'X-Any': 1 });
    expect(exchange.headers.get('HelixHttpStatus')).toBeUndefined();
    expect(exchange.headers.get('X-Any')).toBeUndefined();
    expect(exchange.headers.get('ran')).toBe(true);
  });

  it('leaves types and allowed values alone where validate.schema is off, defaults stay', async () => {
    const { engine } = await start([{ ...search, schema: false }]);
    const exchange = await engine.request('tool://search', { body: { query: 5 } });
    expect((exchange.body as { payload: unknown }).payload).toEqual({ query: 5, limit: 10 });
  });

  it('does not look at what comes out', async () => {
    const { engine } = await start([{ ...search, steps: [{ 'set-body': 'no total here' }] }]);
    expect((await engine.request('tool://search', { body: { query: 'x' } })).body).toBe('no total here');
  });

  it('names a tool that is near where there is none', async () => {
    const { engine } = await start([search]);
    const exchange = await engine.request('tool://serach', {});
    expect(exchange.failure).toMatchObject({ code: 'TOOL.UNKNOWN_TOOL' });
    expect(exchange.failure?.message).toContain('did you mean "search"?');
  });
});

describe('rules', () => {
  const positive: ToolRule = {
    name: 'positive_amount',
    expr: 'args["amount"] > 0',
    reason: 'amount must be positive',
  };
  const input: Record<string, FieldDef> = { amount: { type: 'number' } };

  it('that hold let the call through', async () => {
    expect((await call(input, { amount: 1 }, [positive])).isFailed()).toBe(false);
  });

  it('that do not hold refuse it with their reason', async () => {
    expect((await call(input, { amount: -1 }, [positive])).failure).toMatchObject({
      code: 'TOOL.RULE_VIOLATED',
      message: 'tool "t" input validation failed: amount must be positive',
      fields: [{ path: '/amount', code: 'rule', message: 'amount must be positive' }],
    });
  });

  it.each([
    ['missing', {}],
    ['null', { amount: null }],
  ])('over a %s argument fail and name it', async (_how, body) => {
    const throwing = { ...positive, expr: 'args["amount"].length > 0' };
    for (const rule of [positive, throwing]) {
      const { failure } = await call({}, body, [rule]);
      expect(failure?.code).toBe('TOOL.RULE_VIOLATED');
      expect(failure?.message).toContain('amount must be positive (the argument "amount" is missing)');
    }
  });

  it('that give neither true nor false do not hold', async () => {
    const { failure } = await call(input, { amount: 1 }, [{ ...positive, expr: 'args["amount"]' }]);
    expect(failure?.code).toBe('TOOL.RULE_VIOLATED');
    expect(failure?.message).toContain('neither true nor false');
  });
});

describe('a tool as a workflow', () => {
  it('is called by another workflow, which keeps its own arguments', async () => {
    const inner: ToolInit = { id: 'inner', input: {}, steps: [{ 'set-body': { starlang: 'args.n' } }] };
    const outer: ToolInit = {
      id: 'outer',
      steps: [
        { 'set-body': { starlang: '({ n: 2 })' } },
        { target: 'tool://inner' },
        { 'set-body': { starlang: '[payload, args.n]' } },
      ],
    };
    const { engine } = await start([inner, outer]);
    expect((await engine.request('tool://outer', { body: { n: 1 } })).body).toEqual([2, 1]);
  });

  it('checks its arguments when it is run through the directory too', async () => {
    const { engine } = await start([search]);
    const bad = engine.exchange('search', { body: {} });
    await engine.run('search', bad);
    expect(bad.failure?.message).toBe('tool "search" input validation failed: /query is required');
    expect(bad.failedAt).toEqual({ workflowId: 'search', stepId: null });
    const good = engine.exchange('search', { body: { query: 'x' } });
    await engine.run('search', good);
    expect((good.body as { id: string }).id).toBe('search');
  });

  it('stands in the directory with the schemas made of its fields', async () => {
    const { engine, tool } = await start([search]);
    expect(engine.get('search')).toMatchObject({
      from: 'tool://search',
      scheme: 'tool',
      description: search.description,
    });
    const [definition] = tool.list();
    expect(engine.get('search')?.inputSchema).toEqual(definition && inputJsonSchema(definition));
    expect(engine.get('search')?.outputSchema).toEqual(definition && outputJsonSchema(definition));
  });

  it('may be written as from: tool://id, with or without an entry under tools', async () => {
    const { steps: _none, ...declared } = search;
    const { engine, tool } = await start(
      [declared],
      [
        { id: 'finder', from: 'tool://search', steps: [{ 'set-body': 'found' }] },
        { id: 'loose', from: 'tool://loose', description: 'Loose', steps: [{ 'set-body': 'ran' }] },
      ],
    );
    expect((await engine.request('tool://search', { body: {} })).failure?.code).toBe(
      'TOOL.INVALID_ARGUMENTS',
    );
    expect((await engine.request('tool://search', { body: { query: 'x' } })).body).toBe('found');
    expect((await engine.request('tool://loose', { body: {} })).body).toBe('ran');
    expect(tool.list().map(({ id, description }) => `${id} ${description}`)).toEqual([
      'search Search the knowledge base',
      'loose Loose',
    ]);
  });

  it('checks the input-schema of a workflow behind it', async () => {
    const validator = {
      compile: () => (value: unknown) =>
        (value as { n?: number }).n === 1 ? [] : [{ path: '/n', code: 'const', message: 'must be 1' }],
    };
    const { engine } = await startEngine({
      validator,
      components: [new ToolComponent(new ScriptLanguage(), validator)],
      workflows: [
        { id: 'w', from: 'tool://w', 'input-schema': { properties: { n: { const: 1 } } }, steps: [] },
      ],
    });
    expect((await engine.request('tool://w', { body: { n: 2 } })).failure).toMatchObject({
      code: 'TOOL.INVALID_ARGUMENTS',
      message: 'tool "w" input validation failed: /n must be 1',
    });
    expect((await engine.request('tool://w', { body: { n: 1 } })).isFailed()).toBe(false);
    expect(engine.get('w')?.inputSchema).toEqual({ properties: { n: { const: 1 } } });
  });

  it('is refused without steps, with a broken rule, with a default that does not fit, and twice', () => {
    const { engine } = makeEngine({ components: [new ToolComponent(new ScriptLanguage())] });
    const problems = engine.check(
      workspaceOf({
        tools: [
          { id: 'idle' },
          { id: 'broken', rules: [{ name: 'r', expr: '(', reason: 'x' }], steps: [{ stop: null }] },
          { id: 'off', input: { n: { type: 'integer', default: 'ten' } }, steps: [{ stop: null }] },
          { id: 'twice', steps: [{ stop: null }] },
        ],
        workflows: [{ id: 'other', from: 'tool://twice' }],
      }),
    );
    expect(problems.map(({ rule }) => rule)).toEqual([
      'tool-without-steps',
      'wrong-script',
      'wrong-default',
      'duplicate-consumer',
    ]);
  });
});

describe('a trial of arguments', () => {
  it('answers what a call would be refused for, and runs nothing', async () => {
    const { tool } = await start([search]);
    expect(tool.problems('search', { query: 'x' })).toEqual([]);
    expect(tool.problems('search', {})).toEqual([
      { path: '/query', code: 'required', message: 'is required' },
    ]);
  });
});

describe('JSON Schema of a tool', () => {
  it('is always an object with properties, nested as declared', async () => {
    const { tool } = await start([
      { id: 'empty', steps: [{ stop: null }] },
      {
        id: 'full',
        input: {
          filter: { type: 'object', required: true, fields: { from: { type: 'date', required: true } } },
          tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: [] },
          mail: { type: 'unheard-of', description: 'Who' },
        },
        steps: [{ stop: null }],
      },
    ]);
    const schemas = tool.list().map(inputJsonSchema);
    expect(schemas).toEqual([
      { type: 'object', properties: {} },
      {
        type: 'object',
        properties: {
          filter: { type: 'object', properties: { from: { format: 'date' } }, required: ['from'] },
          tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: [] },
          mail: { description: 'Who' },
        },
        required: ['filter'],
      },
    ]);
  });
});
