import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStand, type Stand } from './support/mcp-stand.js';
import { rpc, send } from './support/raw-http.js';

let stand: Stand;
let aborted: () => void;
let entered: () => void;

beforeAll(async () => {
  stand = await startStand({
    options: 'transport=sse&api_keys=k-one,k-two',
    workflows: [
      { id: 'echo', from: 'direct://echo', 'input-schema': {}, steps: [{ 'set-body': { value: 'done' } }] },
      { id: 'waits', from: 'direct://waits', 'input-schema': {}, steps: [{ target: 'test://waits' }] },
    ],
    processors: {
      waits: (exchange) =>
        new Promise((_resolve, reject) => {
          exchange.signal.addEventListener('abort', () => {
            aborted();
            reject(new Error('aborted'));
          });
          entered();
        }),
    },
  });
});

afterAll(() => stand.close());

async function join(): Promise<{ client: Client; posted: () => URL | undefined }> {
  const client = new Client({ name: 'story', version: '1' });
  const headers = { 'x-api-key': 'k-one' };
  let posted: URL | undefined;
  const transport = new SSEClientTransport(stand.url, {
    requestInit: { headers },
    fetch: (url, init) => {
      if (init?.method === 'POST') posted = new URL(String(url));
      return fetch(url, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers },
      });
    },
  });
  await client.connect(transport);
  return { client, posted: () => posted };
}

describe('the older transport', () => {
  it('serves the client made for it', async () => {
    const { client } = await join();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'waits']);
    expect(await client.callTool({ name: 'echo' })).toMatchObject({
      content: [{ type: 'text', text: 'done' }],
    });
    await client.close();
  });

  it('aborts what runs when the stream ends', async () => {
    const { client } = await join();
    const gone = new Promise<void>((resolve) => (aborted = resolve));
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const call = client.callTool({ name: 'waits' }).catch(() => 'closed');
    await inside;
    await client.close();
    await gone;
    expect(await call).toBe('closed');
  });

  it('keeps its streams apart by key', async () => {
    const { client, posted } = await join();
    const path = `/sse${posted()?.search ?? ''}`;
    const stolen = await send(stand.url, { path, headers: { 'x-api-key': 'k-two' }, body: rpc('ping') });
    expect(stolen.status).toBe(404);
    expect(
      (await send(stand.url, { path, headers: { 'x-api-key': 'k-one' }, body: rpc('ping') })).status,
    ).toBe(202);
    await client.close();
  });
});
