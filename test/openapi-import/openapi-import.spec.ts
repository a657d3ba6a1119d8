import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FirstRun } from '../../src/modules/organizations/index.js';
import { Client } from '../rest/support/client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const token = 'pets-token-7f3a9c';
const basic = 'pets-password-51d0';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
interface Call {
  status: string;
  result: unknown;
  error: { code: string; message: string; upstreamStatus: number | null } | null;
  cost: { status: string; accountingService: string };
  funding: { source: string };
}

const seen: Seen[] = [];
let upstream: Server;
let folder: string;
let helix: TestApp;
let ann: Client;

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      login: { type: 'http', scheme: 'basic' },
      other: { type: 'apiKey', in: 'header', name: 'x-other' },
    },
    schemas: {
      Pet: {
        type: 'object',
        properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Pet' } },
        required: ['name'],
      },
    },
  },
  security: [{ token: [] }],
  paths: {
    '/pets/{id}': {
      parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getPet',
        summary: 'Reads a pet',
        parameters: [{ in: 'query', name: 'fields', schema: { type: 'array', items: { type: 'string' } } }],
        responses: {},
      },
    },
    '/pets': {
      post: {
        operationId: 'createPet',
        summary: 'Registers a pet',
        security: [{ other: [] }, { login: [] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: {
          201: {
            description: 'made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
        },
      },
    },
    '/secret': { get: { operationId: 'secretPets', security: [{ other: [] }], responses: {} } },
    '/echo': { get: { operationId: 'echoHeaders', responses: {} } },
    '/broken': { get: { operationId: 'brokenPets', responses: {} } },
    '/bad': {
      post: {
        operationId: 'badPets',
        requestBody: { $ref: 'https://evil.example/body.json' },
        responses: {},
      },
    },
    '/hidden': { get: { operationId: 'adminPets', responses: {} } },
  },
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.setHeader('content-type', 'application/json');
      if (url === '/v1/broken') response.writeHead(503).end('{"why":"maintenance"}');
      else if (url === '/v1/echo') response.end(JSON.stringify(headers));
      else response.end(JSON.stringify({ method, url }));
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  folder = await mkdtemp(join(tmpdir(), 'helix-openapi-'));
  const servers = [{ url: `http://127.0.0.1:${port}/v1` }];
  await writeFile(join(folder, 'pets.json'), JSON.stringify({ ...document, servers }));
  await writeFile(
    join(folder, 'desk.yaml'),
    `catalogue:
  pets:
    openapi: ./pets.json
    auth: { token: '\${PETS_TOKEN}', login: { username: helix, password: '\${PETS_PASSWORD}' } }
    headers: { X-Team: desk }
    exclude: [admin*]
  gone:
    openapi: http://127.0.0.1:1/openapi.json
`,
  );
  vi.stubEnv('PETS_TOKEN', token);
  vi.stubEnv('PETS_PASSWORD', basic);
  helix = await startTestApp({ env: { HELIX_WORKFLOWS: folder, HELIX_ALLOW_PRIVATE_EGRESS: '127.0.0.1' } });
  await helix.app.nest.get(FirstRun).begin(helix.url);
  const bootstrap = JSON.parse(await readFile(join(helix.home, 'bootstrap.json'), 'utf8')) as Record<
    'organizationId' | 'apiKey',
    string
  >;
  ann = new Client(helix.url, bootstrap.apiKey, bootstrap.organizationId, '');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await helix.close();
  upstream.closeAllConnections();
  await new Promise((done) => upstream.close(done));
  await rm(folder, { recursive: true });
});

async function call(tool: string, input: unknown): Promise<Call> {
  const answer = await ann.call<Call>(`openapi:pets:${tool}`, input);
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('an OpenAPI document as a source of tools', () => {
  it('shows its operations, without the bad one and the excluded one, and names the source that is down', async () => {
    const { body } = await ann.get<{
      items: { id: string }[];
      sources: { provider: string; status: string }[];
    }>('/v1/api/tools?query=pet&limit=100');
    const ids = body.items.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['openapi:pets:getPet', 'openapi:pets:createPet']));
    expect(ids.join()).not.toMatch(/badPets|adminPets/);
    expect(body.sources.map(({ provider, status }) => [provider, status])).toEqual([
      ['helix', 'ok'],
      ['treg', 'not_configured'],
      ['openapi:pets', 'ok'],
      ['openapi:gone', 'unavailable'],
    ]);
    expect(helix.logged()).toContain('only references within the document');
    expect((await ann.get('/v1/api/tools/openapi:gone:any')).status).toBe(503);
    expect((await ann.get('/v1/api/tools/openapi:pets:badPets')).status).toBe(404);
  });

  it('describes an operation by a schema that holds itself', async () => {
    const { body } = await ann.get<{ inputSchema: unknown; funding: unknown }>(
      '/v1/api/tools/openapi:pets:createPet',
    );
    expect(body.inputSchema).toMatchObject({
      properties: { body: { $ref: '#/$defs/Pet' } },
      required: ['body'],
    });
    expect(body.funding).toMatchObject({
      auto: { ready: true, source: 'organization' },
      hlix: { ready: false },
    });
  });

  it('calls it with the credential its security asks for, and keeps every value in its place', async () => {
    seen.length = 0;
    const read = await call('getPet', { path: { id: 'a/../b?x#' }, query: { fields: ['name', 'age'] } });
    expect(read).toMatchObject({
      status: 'succeeded',
      cost: { status: 'not_metered', accountingService: 'openapi:pets' },
    });
    await call('createPet', { body: { name: 'Rex', parent: { name: 'Max' } } });
    expect(seen).toMatchObject([
      {
        method: 'GET',
        url: '/v1/pets/a%2F..%2Fb%3Fx%23?fields=name&fields=age',
        headers: { authorization: `Bearer ${token}`, 'x-team': 'desk' },
      },
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`helix:${basic}`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: '{"name":"Rex","parent":{"name":"Max"}}',
      },
    ]);
  });

  it.each([
    [{ path: { id: '..' } }, '/input/path/id'],
    [{ path: { id: '' } }, '/input/path/id'],
    [{ path: {} }, '/input/path/id'],
    [{ path: { id: 'a' }, header: { authorization: 'mine' } }, '/input/header'],
  ])('refuses before anything is sent: %j', async (input, path) => {
    seen.length = 0;
    const answer = await ann.call('openapi:pets:getPet', input);
    expect([answer.status, (answer.body as { fields?: unknown[] }).fields]).toMatchObject([400, [{ path }]]);
    expect(seen).toEqual([]);
  });

  it('says what is missing where no credential fits, and what the API said where it refused', async () => {
    expect((await call('secretPets', {})).error).toMatchObject({
      message: expect.stringContaining('"auth" of "pets"') as string,
    });
    expect(await call('brokenPets', {})).toMatchObject({
      status: 'failed',
      error: {
        code: 'unavailable',
        upstreamStatus: 503,
        message: 'The API answered 503: {"why":"maintenance"}',
      },
    });
  });

  it('never shows a credential, even where the API echoes it', async () => {
    const echoed = await call('echoHeaders', {});
    expect(JSON.stringify(echoed)).toContain('[secret]');
    for (const text of [JSON.stringify(echoed), helix.logged()])
      for (const secret of [token, basic]) expect(text).not.toContain(secret);
  });

  it('cannot be paid by a wallet', async () => {
    const answer = await ann.call('openapi:pets:getPet', { path: { id: 'a' } }, { funding: 'hlix' });
    expect([answer.status, Client.code(answer)]).toEqual([409, 'connection_unavailable']);
  });
});
