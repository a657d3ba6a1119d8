import { Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkspaceMcpModule } from '../../src/modules/mcp-server/index.js';
import { startRest, type Client, type RestStory } from '../rest/support/client.js';
import { restOver, Workbench } from '../rest/support/workbench.js';
import { realClients, type RealClient } from './support/clients.js';
import { modern, rpc, send } from './support/raw-http.js';

const bench = new Workbench();

@Module({ imports: [restOver(bench), WorkspaceMcpModule] })
class RestAndMcp {}

let rest: RestStory;
let owner: Client;
let url: URL;

beforeAll(async () => {
  bench.add('add', {
    description: 'Adds two numbers',
    schema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    policy: { sideEffects: 'read', redispatch: 'safe' },
    work: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
  });
  bench.add('breaks', {
    work: () => {
      throw new Error('inner reason');
    },
  });
  rest = await startRest({ module: RestAndMcp }, bench);
  owner = await rest.owner();
  url = new URL(`${rest.helix.url}/mcp`);
});

afterAll(() => rest.close());

const headers = (client: Client): Record<string, string> => ({ 'x-api-key': client.apiKey ?? '' });
const call = async (params: object): Promise<{ error?: { code: number }; result?: unknown }> => {
  const request = modern('tools/call', { name: 'add', arguments: { a: 1, b: 1 }, ...params });
  const all = { ...request.headers, ...headers(owner) };
  return (await send(url, { ...request, path: '/mcp', headers: all })).json();
};
const runsOf = (tool: string): number => bench.runs.filter((run) => run.tool === tool).length;

describe.each(realClients)('the tools of a workspace (%s)', (_name, connect) => {
  let client: RealClient;

  beforeAll(async () => {
    client = await connect(url, headers(owner));
  });

  afterAll(() => client.close());

  it('are listed and called, each call durable', async () => {
    expect((await client.tools()).map(({ name }) => name)).toEqual(['add', 'breaks']);
    expect(await client.call('add', { a: 1, b: 2 })).toMatchObject({
      isError: false,
      structured: { sum: 3 },
    });
    const { body } = await owner.get<{ items: { toolId: string; status: string }[] }>(
      '/v1/api/tool-calls?limit=1',
    );
    expect(body.items[0]).toMatchObject({ toolId: 'add', status: 'succeeded' });
  });

  it('run once for a key of the client, and refuse the key for something else', async () => {
    const before = runsOf('add');
    const meta = { 'io.helix/idempotencyKey': `key of ${_name}` };
    const first = await client.call('add', { a: 2, b: 2 }, { meta });
    expect(await client.call('add', { b: 2, a: 2 }, { meta })).toEqual(first);
    expect(runsOf('add')).toBe(before + 1);
    await expect(client.call('add', { a: 3, b: 2 }, { meta })).rejects.toThrow(/already identifies/);
    const { body } = await owner.call<{ id: string }>(
      'add',
      { a: 2, b: 2 },
      { idempotencyKey: `key of ${_name}` },
    );
    expect(body.id).toMatch(/^call_/);
    expect(runsOf('add')).toBe(before + 1);
  });

  it('say what is wrong, and fail without their inner reason', async () => {
    const before = bench.runs.length;
    const refused = await client.call('add', { a: 1 });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/\/b: .*nothing was run\.$/s) as string,
    });
    expect(bench.runs.length).toBe(before);
    const failed = await client.call('breaks', {});
    expect(failed.isError).toBe(true);
    expect(failed.text).not.toContain('inner reason');
    await expect(client.call('absent', {})).rejects.toThrow('Unknown tool: absent');
  });
});

describe('the door of the workspace', () => {
  it('is that of the REST API', async () => {
    const list = { ...modern('tools/list'), path: '/mcp' };
    expect((await send(url, list)).status).toBe(401);
    const reader = await rest.key(owner, { scopes: ['calls:read'] });
    expect((await send(url, { ...list, headers: { ...list.headers, ...headers(reader) } })).status).toBe(403);
    const wrongType = { ...headers(owner), 'content-type': 'text/plain' };
    expect((await send(url, { ...list, headers: { ...list.headers, ...wrongType } })).status).toBe(415);
  });

  it('stays shut for pages of other sites', async () => {
    const list = { ...modern('tools/list'), path: '/mcp' };
    const from = async (origin: string): Promise<number> =>
      (await send(url, { ...list, headers: { ...list.headers, ...headers(owner), origin } })).status;
    expect(await from(url.origin)).toBe(200);
    const foreign = [
      'null',
      'http://evil.example',
      `http://${url.host}.evil.example`,
      'http://localhost:1',
      '',
    ];
    expect(await Promise.all(foreign.map(from))).toEqual([403, 403, 403, 403, 403]);
  });

  it('tells the caller of text that cannot be stored, and does not fail itself', async () => {
    for (const name of ['io.helix/idempotencyKey', 'io.helix/projectId'])
      for (const text of ['a\0b', '\ud800'])
        expect(await call({ _meta: { [name]: text } })).toMatchObject({ error: { code: -32602 } });
    expect(await call({ arguments: { a: 1, b: 1, c: '\ud800' } })).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('surrogate') as string }] },
    });
  });

  it('keeps the sessions of one key from another', async () => {
    const other = await rest.key(owner, {});
    const initialize = rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    const opened = await send(url, { path: '/mcp', headers: headers(owner), body: initialize });
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const ping = (client: Client): ReturnType<typeof send> =>
      send(url, { path: '/mcp', headers: { ...headers(client), ...session }, body: rpc('ping') });
    expect([(await ping(owner)).status, (await ping(other)).status]).toEqual([200, 404]);
  });
});
