import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HelixError } from '../../src/common/engine/errors/helix-error.js';
import { realClients, type RealClient } from './support/clients.js';
import { startStand, type Stand } from './support/mcp-stand.js';

const search = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 2 },
    limit: { type: 'integer', maximum: 50 },
    sort: { enum: ['new', 'old'] },
  },
  required: ['query'],
  additionalProperties: false,
  $defs: { kept: { type: 'null' } },
};

let signalled: (reason: unknown) => void;
let entered: () => void;

describe.each(realClients)('a client (%s)', (_name, connect) => {
  let stand: Stand;
  let client: RealClient;

  beforeAll(async () => {
    stand = await startStand({
      options: 'name=stand&version=2.1.0',
      workflows: [
        {
          id: 'search',
          description: 'Search the knowledge base',
          from: 'direct://search',
          'input-schema': search,
          steps: [{ target: 'test://search' }],
        },
        {
          id: 'say hello',
          from: 'direct://hello',
          'input-schema': {},
          steps: [{ 'set-body': { value: 'hello' } }],
        },
        { id: 'fails', from: 'direct://fails', 'input-schema': {}, steps: [{ target: 'test://fails' }] },
        { id: 'waits', from: 'direct://waits', 'input-schema': {}, steps: [{ target: 'test://waits' }] },
        { id: 'counts', from: 'direct://counts', 'input-schema': {}, steps: [{ target: 'test://counts' }] },
        { id: 'inner', from: 'direct://inner' },
      ],
      processors: {
        search: (exchange) => {
          const { query } = exchange.body as { query: string };
          const headers = [exchange.headers.get('HelixMcpToolName'), exchange.headers.get('HelixMcpRouteID')];
          exchange.body = { query, total: 1, pattern: exchange.pattern, headers };
        },
        fails: () => {
          throw new Error('connect ECONNREFUSED /var/run/secret.sock');
        },
        waits: (exchange) =>
          new Promise((_resolve, reject) => {
            exchange.signal.addEventListener('abort', () => {
              signalled(exchange.signal.reason);
              reject(new HelixError('ENGINE.CANCELLED', 'gone'));
            });
            entered();
          }),
        counts: (exchange) => {
          const state = exchange.session?.state ?? {};
          state['count'] = Number(state['count'] ?? 0) + 1;
          exchange.body = { count: state['count'] };
        },
      },
    });
    client = await connect(stand.url);
  });

  afterAll(async () => {
    await client.close();
    await stand.close();
  });

  it('learns who serves, and what is exposed and nothing else', async () => {
    expect(client.serverName()).toBe('stand');
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual(['counts', 'fails', 'say_hello', 'search', 'waits']);
    expect(tools.find(({ name }) => name === 'search')?.inputSchema).toEqual(search);
    expect(tools.find(({ name }) => name === 'say_hello')?.inputSchema).toEqual({
      type: 'object',
      properties: {},
    });
  });

  it('calls a workflow through the engine and gets text and structure', async () => {
    const result = await client.call('search', { query: 'engine' });
    const expected = { query: 'engine', total: 1, pattern: 'InOut', headers: ['search', 'search'] };
    expect(JSON.parse(result.text)).toEqual(expected);
    expect(result.structured).toEqual(expected);
    expect((await client.call('say_hello', {})).text).toBe('hello');
  });

  it('is told what is wrong with arguments, in words to act on', async () => {
    const { text, isError } = await client.call('search', { query: 'x', limit: 99, sort: 'big', more: 1 });
    expect(isError).toBe(true);
    expect(text.split('\n')).toEqual([
      'The arguments of "search" do not match its schema:',
      '- /more: is not an argument this tool has',
      '- /query: must NOT have fewer than 2 characters',
      '- /limit: must be <= 50',
      '- /sort: must be one of "new", "old"',
      'Correct them and call again; nothing was run.',
    ]);
  });

  it('gets a failure without its inner reason', async () => {
    expect(await client.call('fails', {})).toMatchObject({
      isError: true,
      text: 'The operation failed on the server.',
    });
  });

  it('gets an error for a tool there is not, under any name', async () => {
    for (const name of ['inner', '__proto__', 'constructor', 'mcp-server']) {
      await expect(client.call(name, {})).rejects.toThrow(`Unknown tool: ${name}`);
    }
  });

  it('cancels, and the exchange is aborted', async () => {
    const aborted = new Promise((resolve) => (signalled = resolve));
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const cancellation = new AbortController();
    const call = client.call('waits', {}, { signal: cancellation.signal });
    await inside;
    cancellation.abort();
    await expect(call).rejects.toThrow(/abort/i);
    expect(await aborted).toMatchObject({ code: 'ENGINE.CANCELLED' });
  });

  it('keeps a session over its calls, by either place of the id', async () => {
    const count = async (args: Record<string, unknown>, meta?: Record<string, unknown>): Promise<unknown> =>
      (await client.call('counts', args, meta ? { meta } : {})).structured;
    expect(await count({}, { sessionId: 's-1' })).toEqual({ count: 1 });
    expect(await count({ _meta: { sessionId: 's-1' } })).toEqual({ count: 2 });
    expect(await count({}, { sessionId: 's-2' })).toEqual({ count: 1 });
    expect(await count({})).toEqual({ count: 1 });
    const both = await Promise.all([1, 2, 3].map(() => count({}, { sessionId: 's-1' })));
    expect(both).toEqual([{ count: 3 }, { count: 4 }, { count: 5 }]);
    expect(await client.call('counts', {}, { meta: { sessionId: '../etc' } })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/nothing was run\.$/) as string,
    });
  });

  it('reads the list of workflows, without secrets', async () => {
    const list = JSON.parse(await client.resource('helix://workflows')) as { id: string }[];
    expect(list.find(({ id }) => id === 'search')).toEqual({
      id: 'search',
      from: 'direct://search',
      description: 'Search the knowledge base',
      state: 'started',
    });
    expect(list.map(({ id }) => id)).toContain('mcp-server');
    await expect(client.resource('helix://secrets')).rejects.toThrow(/not found/i);
  });

  it('hears of it when the tools change', async () => {
    const heard = new Promise<void>((resolve) => void client.onToolsChanged(resolve));
    await stand.engine.restart('search');
    await expect(heard).resolves.toBeUndefined();
  });
});
