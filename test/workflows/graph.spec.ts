import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ApiKeysService, operator, scopes } from '../../src/modules/access/index.js';
import { FirstRun, OrganizationsService } from '../../src/modules/organizations/index.js';
import { Client } from '../rest/support/client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Literal, where nobody should write one. */
const literal = 'hush-hush-4711';
const workspace = `
tools:
  - id: find
    description: Finds
    input: {}
    steps: [{ to: 'https://find.example/v1?bearer=${literal}' }]
workflows:
  - id: ask
    from: direct://ask
    steps:
      - target: { uri: 'https://find.example/\${HELIX_MCP_KEY}', parameters: { bearer: '\${HELIX_MCP_KEY}' } }
      - target: tool://find
  - id: graph
    from: direct://apart
    steps: [{ log: 'key ${literal}' }]
`;

let folder: string;
let helix: TestApp;
let ann: Client;
/** Of a variable. */
let secret: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-graph-'));
  await writeFile(join(folder, 'w.yaml'), workspace);
  helix = await startTestApp({ env: { HELIX_WORKFLOWS: folder } });
  secret = (await readFile(join(helix.home, 'mcp-key'), 'utf8')).trim();
  await helix.app.nest.get(FirstRun).begin(helix.url);
  const { organizationId, apiKey } = JSON.parse(
    await readFile(join(helix.home, 'bootstrap.json'), 'utf8'),
  ) as Record<'organizationId' | 'apiKey', string>;
  ann = new Client(helix.url, apiKey, organizationId, '');
});
afterAll(async () => {
  await helix.close();
  await rm(folder, { recursive: true, force: true });
});

const path = '/v1/api/workflow-graph';
interface Graph {
  readonly nodes: readonly { readonly kind: string; readonly label: string }[];
}
const labels = ({ nodes }: Graph): readonly string[] => nodes.map(({ label }) => label).toSorted();

describe('the drawing of what runs', () => {
  it.each([
    ['?format=json', '*/*', 'application/json', '{'],
    ['?format=svg', 'application/json', 'image/svg+xml', '<svg xmlns'],
    ['?format=mermaid', '*/*', 'text/vnd.mermaid', 'flowchart LR'],
    ['', '*/*', 'application/json', '{'],
    ['', 'image/svg+xml', 'image/svg+xml', '<svg xmlns'],
    ['', 'text/vnd.mermaid, application/json;q=0.5', 'text/vnd.mermaid', 'flowchart LR'],
    ['', 'image/png', 'application/json', '{'],
  ])('with "%s" and Accept: %s is %s', async (query, accept, type, start) => {
    const { status, headers, text } = await ann.get(path + query, { accept });
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    expect(headers.get('vary')).toContain('Accept');
    expect(text.startsWith(start)).toBe(true);
    expect(text).toContain('graph');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(literal);
  });

  it('shows all, or one workflow or tool with its neighbours', async () => {
    expect(labels((await ann.get<Graph>(path)).body)).toEqual([
      'ask',
      'find',
      'graph',
      'https://find.example/${HELIX_MCP_KEY}',
      'https://find.example/v1',
    ]);
    const near = await ann.get<Graph>('/v1/api/workflows/find/graph');
    expect(labels(near.body)).toEqual(['ask', 'find', 'https://find.example/v1']);
    // An id like any other: no address of ours stands where ids do.
    expect((await ann.get('/v1/api/workflows/graph')).body).toMatchObject({ id: 'graph' });
  });

  it('refuses other forms and what does not exist, and is for whom workflows are', async () => {
    expect((await ann.get(`${path}?format=png`)).status).toBe(400);
    expect((await ann.get('/v1/api/workflows/nobody/graph')).status).toBe(404);
    expect((await ann.with(undefined).get(path)).status).toBe(401);
    const other = { name: 'Other', owner: { name: 'Bob', email: null } };
    const made = await helix.app.nest.get(OrganizationsService).create(other, operator);
    const draft = { name: 'test', scopes, projectIds: null, expiresAt: null, ...made };
    const key = await helix.app.nest.get(ApiKeysService).create(draft, operator);
    const bob = new Client(helix.url, key.secret, made.organizationId, made.userId);
    expect((await bob.get(path)).status).toBe(403);
    expect((await bob.get('/v1/api/workflows/ask/graph')).status).toBe(403);
  });
});

describe('/workflow.schema.json', () => {
  it('is kept, and asked for again only to learn that it is the same', async () => {
    const { headers } = await fetch(`${helix.url}/workflow.schema.json`);
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    const again = await fetch(`${helix.url}/workflow.schema.json`, {
      headers: { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is the schema of workspace files, for everybody', async () => {
    const response = await fetch(`${helix.url}/workflow.schema.json`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/schema+json; charset=utf-8',
    ]);
    const fits = new Ajv2020({ strict: false }).compile((await response.json()) as object);
    expect(fits(parse(workspace))).toBe(true);
    expect(fits(parse(workspace.replace('bearer:', 'baerer:')))).toBe(false);
  });
});
