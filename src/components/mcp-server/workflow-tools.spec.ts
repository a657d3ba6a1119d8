import { describe, expect, it } from 'vitest';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { anonymousCaller } from '../../common/engine/model/caller.js';
import { MemorySessionShelf, sessionLimits, type SessionLimits } from './session-shelf.js';
import { McpOffers } from './mcp-offers.js';
import { deafLink, MemoryDirectory, MemoryLog, type ScriptedWorkflow } from './testing/memory-directory.js';
import type { ToolCall, ToolResult } from './tool-source.js';
import { WorkflowTools } from './workflow-tools.js';

interface Bench {
  readonly directory: MemoryDirectory;
  readonly tools: WorkflowTools;
  readonly log: MemoryLog;
  readonly shelf: MemorySessionShelf;
  readonly names: () => readonly string[];
  readonly call: (name: string, more?: Partial<ToolCall>) => Promise<ToolResult | null>;
}

function bench(
  workflows: readonly ScriptedWorkflow[],
  choice: { workflows?: string[]; allowed_tools?: string[]; blocked_tools?: string[] } = {},
  limits: Partial<SessionLimits> = {},
  clock = { now: (): number => 0 },
): Bench {
  const directory = new MemoryDirectory(workflows);
  const log = new MemoryLog();
  const shelf = new MemorySessionShelf(clock, { ...sessionLimits, ...limits });
  const chosen = {
    workflows: [],
    allowed_tools: [],
    blocked_tools: [],
    tasks: [],
    tasks_required: [],
    ...choice,
  };
  const offers = new McpOffers();
  const tools = new WorkflowTools({
    route: directory.route(),
    choice: chosen,
    sessions: shelf,
    offers,
    log,
    clock,
  });
  const signal = new AbortController().signal;
  return {
    directory,
    tools,
    log,
    shelf,
    names: () => tools.tools().map(({ name }) => name),
    call: (name, more = {}) =>
      tools.call({ name, args: {}, meta: {}, caller: anonymousCaller, signal, link: deafLink, ...more }),
  };
}

const answerText: ScriptedWorkflow['process'] = (exchange) => void (exchange.body = '{"n":1}');
const refuse: ScriptedWorkflow['process'] = (exchange) => {
  exchange.workflowId = 'a';
  exchange.stepId = (exchange.body as { step?: string }).step ?? null;
  throw new HelixError('TOOL.INVALID_ARGUMENTS', 'tool "t" input validation failed: x is required.');
};
const write: ScriptedWorkflow['process'] = (exchange) => {
  const { value, fail } = exchange.body as { value: unknown; fail?: boolean };
  if (exchange.session) exchange.session.state['value'] = value;
  if (fail) throw new HelixError('ENGINE.THROWN', 'broken');
};
const giveBytes: ScriptedWorkflow['process'] = (exchange) =>
  void (exchange.body = { file: Buffer.from('hello') });
const read: ScriptedWorkflow['process'] = (exchange) => void (exchange.body = exchange.session?.state);

const schemes = ['tool', 'agui', 'a2a-server', 'direct', 'seda', 'http-server', 'timer', 'mcp-server'];

describe('which workflows are tools', () => {
  it('follows the trigger, and the input schema where the trigger is an engineering one', () => {
    const withSchema = schemes.map((scheme) => ({ id: `with-${scheme}`, scheme }));
    const without = schemes.map((scheme) => ({ id: `without-${scheme}`, scheme, inputSchema: null }));
    const { names, log } = bench([...withSchema, ...without, { id: 'off', state: 'disabled' }]);
    expect(names()).toEqual([
      'with-a2a-server',
      'with-agui',
      'with-direct',
      'with-http-server',
      'with-seda',
      'with-tool',
      'without-a2a-server',
      'without-agui',
      'without-tool',
    ]);
    expect(log.lines).toContainEqual({
      level: 'debug',
      message: 'Workflow is not exposed over MCP.',
      facts: { workflow: 'without-direct', reason: 'it has no input-schema' },
    });
  });

  it('follows the options: workflows, then blocked, then allowed', () => {
    const all = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
    expect(bench(all, { workflows: ['b', 'a'] }).names()).toEqual(['a', 'b']);
    expect(bench(all, { allowed_tools: ['a', 'b'], blocked_tools: ['b', 'c'] }).names()).toEqual(['a']);
    expect(bench([{ id: 'über uns' }, { id: 'x' }], { blocked_tools: ['über uns'] }).names()).toEqual(['x']);
  });

  it('refuses a workflow that does not exist, and warns of a tool that does not', () => {
    expect(() => bench([{ id: 'search' }], { workflows: ['serch'] })).toThrow('did you mean "search"?');
    const { log } = bench([{ id: 'a' }], { blocked_tools: ['z'] });
    expect(log.lines[0]).toMatchObject({ level: 'warn', message: expect.stringContaining('"z"') as string });
  });

  it('refuses two workflows of one name at start, and serves the rest after a reload', () => {
    const twins = [{ id: 'a b' }, { id: 'a/b' }, { id: 'c' }];
    expect(() => bench(twins)).toThrow('The workflows "a b" and "a/b" would both be the MCP tool "a_b"');
    const { directory, names, log } = bench([{ id: 'c' }]);
    directory.replace(twins);
    expect(names()).toEqual(['a_b', 'c']);
    expect(log.lines.at(-1)).toMatchObject({ level: 'error' });
  });

  it('tells listeners of a reload until it is closed', () => {
    const { directory, tools, names } = bench([{ id: 'a' }]);
    let told = 0;
    tools.onChange(() => told++);
    directory.replace([{ id: 'b' }]);
    expect([told, names()]).toEqual([1, ['b']]);
    tools.close();
    directory.replace([]);
    expect([told, directory.listeners]).toEqual([1, 0]);
  });
});

describe('what a tool shows', () => {
  it('has an object schema, whatever was written, and keeps every other keyword', () => {
    const written = {
      $defs: { x: {} },
      properties: null,
      anyOf: [{ required: ['a'] }],
      type: ['object', 'null'],
    };
    const { tools } = bench([
      { id: 'a', inputSchema: written },
      { id: 'b', scheme: 'agui', inputSchema: null },
    ]);
    const [a, b] = tools.tools();
    expect(a?.inputSchema).toEqual({ ...written, type: 'object', properties: {} });
    expect(Object.keys(b?.inputSchema['properties'] as object)).toEqual(['message', 'thread_id']);
  });

  it('promises structure where the author did, and keeps the promise for JSON text', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } } };
    const { tools, call } = bench([
      { id: 'a', outputSchema, process: answerText },
      { id: 'b', outputSchema: { type: 'array' }, process: answerText },
    ]);
    expect(tools.tools().map(({ outputSchema: shown }) => shown)).toEqual([outputSchema, undefined]);
    expect(await call('a')).toEqual({ text: '{"n":1}', structured: { n: 1 } });
    expect(await call('b')).toEqual({ text: '{"n":1}' });
  });
});

describe('a failure', () => {
  it('says that nothing was run only where nothing was', async () => {
    const { call } = bench([{ id: 'a', process: refuse }]);
    expect((await call('a'))?.text).toBe('tool "t" input validation failed: x is required; nothing was run.');
    expect((await call('a', { args: { step: 'target[0]' } }))?.text).not.toContain('nothing was run');
  });

  it('names five findings and counts the rest', async () => {
    const fields = Array.from({ length: 7 }, (_, n) => ({
      path: `/${n}`,
      code: 'type',
      message: 'must be text',
    }));
    const { call } = bench([
      {
        id: 'a',
        process: (exchange) => {
          exchange.workflowId = 'a';
          throw new HelixError('TOOL.INVALID_ARGUMENTS', 'no', { fields });
        },
      },
    ]);
    const { text = '' } = (await call('a')) ?? {};
    expect(text.match(/^- \/\d: must be text$/gm)).toHaveLength(5);
    expect(text).toMatch(/- and 2 more\n.*nothing was run\.$/);
  });
});

describe('the state of a session', () => {
  const workflows = [
    { id: 'write', process: write },
    { id: 'read', process: read },
  ];
  const meta = { sessionId: 's' };

  it('is refused when it is too large or no plain data, and the former one stays', async () => {
    const { call } = bench(workflows, {}, { stateSize: 50 });
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    await call('write', { meta, args: { value: 'kept' } });
    for (const value of ['x'.repeat(60), cycle, 5n]) {
      expect(await call('write', { meta, args: { value } })).toMatchObject({ isError: true });
    }
    expect(await call('read', { meta })).toMatchObject({ structured: { value: 'kept' } });
  });

  it('stays as it was when the call fails', async () => {
    const { call } = bench(workflows);
    await call('write', { meta, args: { value: 1 } });
    expect(await call('write', { meta, args: { value: 2, fail: true } })).toMatchObject({ isError: true });
    expect((await call('read', { meta }))?.structured).toEqual({ value: 1 });
  });

  it('ends after its time and when too many are kept, the longest unused first', async () => {
    const clock = { ms: 0, now: () => clock.ms };
    const { call, shelf } = bench(workflows, {}, { count: 2, idleMs: 1000 }, clock);
    for (const sessionId of ['a', 'b', 'a', 'c']) {
      await call('write', { meta: { sessionId }, args: { value: clock.ms++ } });
    }
    expect(shelf.size).toBe(2);
    expect((await call('read', { meta: { sessionId: 'b' } }))?.structured).toEqual({});
    clock.ms += 1001;
    expect((await call('read', { meta: { sessionId: 'c' } }))?.structured).toEqual({});
  });

  it('is not run for who left while waiting for a turn', async () => {
    let release!: () => void;
    const open = new Promise<void>((resolve) => (release = resolve));
    const { call, directory } = bench([{ id: 'slow', process: () => open }]);
    const gone = new AbortController();
    const first = call('slow', { meta });
    const second = call('slow', { meta, signal: gone.signal });
    gone.abort();
    release();
    await first;
    expect(await second).toMatchObject({ isError: true });
    expect(directory.ran).toHaveLength(1);
  });

  it.each(['', '../x', 'a b', 'x'.repeat(129), 'a\u0000', 7, {}])('refuses the id %j', async (sessionId) => {
    const { call, directory } = bench(workflows);
    expect((await call('read', { meta: { sessionId } }))?.text).toMatch(/nothing was run\.$/);
    expect((await call('read', { args: { _meta: { sessionId } } }))?.text).toMatch(/nothing was run\.$/);
    expect(directory.ran).toHaveLength(0);
  });
});

describe('what is told to the caller', () => {
  it('holds no secret that the log knows of', async () => {
    const { tools, log, call } = bench([
      {
        id: 'a',
        description: 'Asks with key-of-the-upstream.',
        process: () => {
          throw new HelixError('ENGINE.THROWN', 'refused: key-of-the-upstream');
        },
      },
    ]);
    Object.assign(log, { redact: (text: string) => text.replaceAll('key-of-the-upstream', '[secret]') });
    expect(await call('a')).toEqual({ text: 'refused: [secret]', isError: true });
    expect(tools.read('helix://workflows')?.text).toContain('Asks with [secret].');
  });

  it('holds bytes as base64, in the text and in the structure', async () => {
    expect(await bench([{ id: 'a', process: giveBytes }]).call('a')).toEqual({
      text: '{"file":"aGVsbG8="}',
      structured: { file: 'aGVsbG8=' },
    });
  });
});
