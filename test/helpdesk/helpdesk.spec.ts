import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HelixProgram, type Running } from '../cli/helix-process.js';
import { fetchDocumented } from '../support/fetch-documented.js';
import { freePort } from '../support/free-port.js';

/**
 * What a stranger does in the first minutes, on the program as it is shipped: the launcher, which builds where it must,
 * the embedded database in an empty home, the example workspace.
 */
const root = join(import.meta.dirname, '..', '..');

interface Call {
  readonly id: string;
  readonly status: string;
  readonly result: { total: number; articles: { id: string; title: string }[]; approval?: string };
}

interface Refusal {
  readonly error: string;
  readonly fields: { path: string; message: string }[];
}

let home: string;
let helix: HelixProgram;
let server: Running;
let askUrl: string;
let mcpUrl: string;
let api: { apiUrl: string; organizationId: string; apiKey: string };
let mcpKey: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'helix-helpdesk-'));
  const [http, mcp] = [await freePort(), await freePort()];
  askUrl = `http://127.0.0.1:${http}/ask`;
  mcpUrl = `http://127.0.0.1:${mcp}`;
  const environment = {
    HELIX_HOME: join(home, 'helix'),
    HELPDESK_HTTP: `127.0.0.1:${http}`,
    HELPDESK_MCP: `127.0.0.1:${mcp}`,
    PORT: '0',
  };
  helix = new HelixProgram(join(root, 'bin', 'helix.js'), environment, home);
  await start();
}, 600_000);

afterAll(async () => {
  await server?.stop();
  await rm(home, { recursive: true, force: true });
}, 60_000);

async function start(): Promise<void> {
  server = helix.start(['run', join(root, 'examples', 'helpdesk')]);
  await server.until('Ctrl-C');
  const text = await readFile(join(home, 'helix', 'bootstrap.json'), 'utf8');
  api = JSON.parse(text) as typeof api;
  mcpKey = (await readFile(join(home, 'helix', 'mcp-key'), 'utf8')).trim();
}

async function call(toolId: string, body: object): Promise<{ status: number; body: Call & Refusal }> {
  const answer = await fetchDocumented(`${api.apiUrl}/v1/api/tools/${toolId}/call`, {
    method: 'POST',
    headers: { 'x-api-key': api.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Call & Refusal };
}

async function get<T>(path: string): Promise<T> {
  const answer = await fetchDocumented(`${api.apiUrl}${path}`, { headers: { 'x-api-key': api.apiKey } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

async function withMcp<T>(headers: Record<string, string>, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'helpdesk-story', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers } }));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function callOverMcp(name: string, args: object): Promise<unknown> {
  return withMcp({ 'X-API-Key': mcpKey }, async (client) => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...args } });
    return structuredContent;
  });
}

function credit(amount: number, idempotencyKey: string): ReturnType<typeof call> {
  const input = { customer: 'C-1042', amount, currency: 'EUR', reason: 'outage' };
  return call('service-credit', { idempotencyKey, input });
}

async function ask(question: unknown): Promise<Response> {
  return fetch(askUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question }),
  });
}

describe('a tool over REST', () => {
  const request = { idempotencyKey: 'story-1', input: { query: 'How do I rotate a key?', limit: 3 } };

  it('is called once for a key: 201, then 200 with the same call, then 409 for another body', async () => {
    const first = await call('search', request);
    expect(first).toMatchObject({ status: 201, body: { status: 'succeeded' } });
    expect(first.body.result.articles[0]).toMatchObject({
      id: 'command:keys:rotate',
      title: 'helix keys rotate',
    });
    const again = await call('search', request);
    expect(again).toEqual({ status: 200, body: first.body });
    expect((await call('search', { ...request, input: { query: 'x' } })).status).toBe(409);
  });

  it('finds articles by their section, and reads one in full', async () => {
    const found = await call('search', {
      idempotencyKey: 'story-2',
      input: { query: 'groupBy', section: 'starlang' },
    });
    expect(found.body.result.articles.map(({ id }) => id)).toContain('starlang:groupBy');
    const { body } = await call('article', { idempotencyKey: 'story-3', input: { id: 'starlang:groupBy' } });
    expect(body.result).toMatchObject({
      section: 'starlang',
      body: expect.stringContaining('groupBy(') as string,
    });
  });

  it('keeps the rules: money up to the mandate, in whole cents, and nothing is stored otherwise', async () => {
    const granted = await credit(120.07, 'credit-1');
    expect(granted).toMatchObject({
      status: 201,
      body: {
        result: {
          approval: 'manager',
          lines: [
            { account: 'service-credits', debitCents: 12007, creditCents: 0 },
            { account: 'customer:C-1042', debitCents: 0, creditCents: 12007 },
          ],
        },
      },
    });
    for (const [amount, reason] of [
      [900, 'needs a manager'],
      [0.001, 'fractions of a cent'],
      [-1, 'must be positive'],
    ] as const) {
      const { status, body } = await credit(amount, `credit-${amount}`);
      expect(status).toBe(400);
      expect(body.fields[0]).toMatchObject({
        path: '/input/amount',
        message: expect.stringContaining(reason) as string,
      });
    }
    const { items } = await get<{ items: { idempotencyKey: string }[] }>('/v1/api/tool-calls?limit=100');
    expect(items.filter(({ idempotencyKey }) => idempotencyKey.startsWith('credit'))).toHaveLength(1);
  });

  it('is listed and described', async () => {
    const { items } = await get<{ items: { id: string }[] }>('/v1/api/tools?query=knowledge');
    expect(items.map(({ id }) => id).sort()).toEqual(['article', 'search']);
    expect(await get('/v1/api/tools/service-credit')).toMatchObject({
      inputSchema: { required: ['customer', 'amount', 'currency', 'reason'] },
      policy: { sideEffects: 'write', redispatch: 'never' },
    });
  });
});

describe('a workflow over HTTP', () => {
  it('answers with its sources, and refuses what its schema refuses', async () => {
    const answer = await ask('What survives a crash?');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      question: 'What survives a crash?',
      answer: expect.stringContaining('Durability') as string,
      sources: expect.arrayContaining([
        { id: expect.any(String) as string, title: expect.any(String) as string },
      ]),
    });
    const refused = await ask(7);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/question' }] });
  });
});

describe('the MCP server', () => {
  it('lists its tools to who has the key of the home, and to nobody else', async () => {
    expect((await stat(join(home, 'helix', 'mcp-key'))).mode & 0o777).toBe(0o600);
    const names = await withMcp({ 'X-API-Key': mcpKey }, async (client) => {
      const { tools } = await client.listTools();
      return tools.map(({ name }) => name).sort();
    });
    expect(names).toEqual(['article', 'ask', 'ask-over-mcp', 'search', 'service-credit', 'triage']);
    const wrong: Record<string, string>[] = [{}, { 'X-API-Key': `${mcpKey}x` }, { 'X-API-Key': api.apiKey }];
    for (const headers of wrong)
      await expect(withMcp(headers, (client) => client.listTools())).rejects.toThrow(/API key/);
  });

  it('calls tools and workflows', async () => {
    expect(await callOverMcp('triage', { subject: 'The site is down' })).toMatchObject({
      priority: 'urgent',
      queue: 'on-call',
    });
    expect(await callOverMcp('triage', { subject: 'Billing', plan: 'enterprise' })).toMatchObject({
      priority: 'high',
    });
    expect(await callOverMcp('search', { query: 'idempotency', limit: 1 })).toMatchObject({
      total: expect.any(Number) as number,
    });
  });

  it('is called by a workflow of its own through mcp://', async () => {
    expect(await callOverMcp('ask-over-mcp', { query: 'rotating a key' })).toMatchObject({
      articles: [{ id: 'guide:api-keys-and-workspaces:rotating-a-key' }],
    });
  });
});

describe('the end of the process', () => {
  it('loses nothing that was acknowledged, even where it has no time to say goodbye', async () => {
    const made = await call('search', { idempotencyKey: 'before-the-crash', input: { query: 'durable' } });
    expect(made.status).toBe(201);
    await server.kill();
    await start();
    const again = await call('search', { idempotencyKey: 'before-the-crash', input: { query: 'durable' } });
    expect(again).toEqual({ status: 200, body: made.body });
    expect(await get(`/v1/api/tool-calls/${made.body.id}`)).toEqual(made.body);
  }, 300_000);

  it('is exit code 0 on SIGTERM', async () => {
    expect((await server.stop()).code).toBe(0);
  }, 60_000);
});
