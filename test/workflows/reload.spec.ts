import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FirstRun, OrganizationsService } from '../../src/modules/organizations/index.js';
import { ApiKeysService, operator, scopes } from '../../src/modules/access/index.js';
import { AuditService } from '../../src/modules/audit/index.js';
import { freePort } from '../support/free-port.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Client, eventually } from '../rest/support/client.js';

let folder: string;
let helix: TestApp;
let ann: Client;
let port: number;

/** Both workflows say the number: an answer that mixes two versions would tell two of them. */
const written = (n: number, more = ''): string => `
tools:
  - id: number
    description: Tells the number ${n}
    input: {}
    steps:
      - set-body: { starlang: '{ n: ${n} }' }
workflows:
  - id: outer
    from: http-server://127.0.0.1:${port}/number?method=POST
    steps:
      - target: direct://inner
      - set-body: { starlang: '{ asked: payload.asked, n: payload.n, outer: ${n} }' }
  - id: inner
    from: direct://inner
    steps:
      - set-body: { starlang: '{ asked: payload.asked, n: ${n} }' }
  - id: steady
    from: http-server://127.0.0.1:${port}/steady?method=GET
    steps:
      - set-body: steady
${more}`;

const write = (yaml: string): Promise<void> => writeFile(join(folder, 'w.yaml'), yaml);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-reload-'));
  port = await freePort();
  await write(written(0));
  helix = await startTestApp({ env: { HELIX_WORKFLOWS: folder } });
  await helix.app.nest.get(FirstRun).begin(helix.url);
  const { organizationId, apiKey } = JSON.parse(
    await readFile(join(helix.home, 'bootstrap.json'), 'utf8'),
  ) as Record<'organizationId' | 'apiKey', string>;
  ann = new Client(helix.url, apiKey, organizationId, '');
});
beforeEach(async () => {
  await write(written(0));
  await reload();
});
afterAll(async () => {
  await helix.close();
  await rm(folder, { recursive: true, force: true });
});

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly version: number;
  readonly counters: { readonly started: number; readonly completed: number; readonly inFlight: number };
}
const list = async (): Promise<readonly Listed[]> =>
  (await ann.get<{ items: readonly Listed[] }>('/v1/api/workflows')).body.items;
const find = async (id: string): Promise<Listed> => {
  const found = (await list()).find((each) => each.id === id);
  if (found === undefined) throw new Error(`no workflow "${id}"`);
  return found;
};
const reload = () => ann.send('POST', '/v1/api/workflows/reload');
const metricsNow = async (): Promise<string> => (await fetch(`${helix.url}/metrics`)).text();

interface Reply {
  readonly asked: number;
  readonly n: number;
  readonly outer: number;
}

async function ask(agent: Agent, asked: number): Promise<Reply> {
  const outgoing = request({
    agent,
    port,
    host: '127.0.0.1',
    path: '/number',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  outgoing.end(JSON.stringify({ asked }));
  const [response] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}: ${body}`);
  return JSON.parse(body) as Reply;
}

describe('a workspace that is reloaded', () => {
  it('answers every request right, twenty times under load, and loses none', async () => {
    const [outer, steady] = [await find('outer'), await find('steady')];
    const isOver = { value: false };
    const kept = new Agent({ keepAlive: true, maxSockets: 4 });
    const fresh = new Agent({ keepAlive: false });
    const replies: Reply[] = [];
    let asked = 0;
    const load = Array.from({ length: 8 }, async (_, worker) => {
      while (!isOver.value) {
        const mine = ++asked;
        const reply = await ask(worker % 2 === 0 ? kept : fresh, mine);
        expect(reply.asked).toBe(mine);
        replies.push(reply);
      }
    });
    const all = Promise.all(load);
    try {
      for (let n = 1; n <= 20; n++) {
        await write(written(n));
        const { status, body } = await reload();
        expect([status, body['changed']]).toEqual([200, ['outer', 'inner', 'number']]);
        const before = replies.length;
        await eventually(() => replies.length).toBeGreaterThan(before + 8);
      }
    } finally {
      isOver.value = true;
      await all.finally(() => kept.destroy());
    }
    expect(replies).toHaveLength(asked);
    expect(replies.filter(({ n, outer }) => n !== outer)).toEqual([]);
    expect(new Set(replies.map(({ n }) => n)).size).toBeGreaterThanOrEqual(20);
    const { started, completed } = outer.counters;
    expect(await find('outer')).toMatchObject({
      version: outer.version + 20,
      counters: { started: started + asked, completed: completed + asked, inFlight: 0 },
    });
    expect((await find('steady')).version).toBe(steady.version);
  }, 120_000);

  it('shows its new tools in the catalogue and over REST at once', async () => {
    await write(written(21));
    await reload();
    expect((await ann.get('/v1/api/tools/number')).body).toMatchObject({
      description: 'Tells the number 21',
    });
    expect((await ann.call('number', {})).body).toMatchObject({ status: 'succeeded', result: { n: 21 } });
  });

  it('stays as it is where the files are broken, and says every reason with its place', async () => {
    const { version } = (await ann.get('/v1/api/workflows')).body;
    await write(
      written(
        22,
        '  - id: broken\n    from: direct://broken\n    steps:\n      - target: direct://gone\n      - set-boddy: 1\n',
      ),
    );
    const refused = await reload();
    expect([refused.status, Client.code(refused)]).toEqual([409, 'reload_refused']);
    expect(refused.body['error']).toContain(`version ${String(version)} goes on`);
    const fields = refused.body['fields'] as { path: string; code: string }[];
    expect(fields.map(({ code }) => code).sort()).toEqual(['missing-target', 'unknown-step']);
    for (const { path } of fields) {
      expect(path).toMatch(/w\.yaml:\d+:\d+$/);
      expect(refused.body['error']).toContain(path);
    }
    expect(await ask(new Agent(), 1)).toMatchObject({ n: 0, outer: 0 });
    await write(written(22));
    expect((await reload()).status).toBe(200);
  });

  it('says nothing changed where nothing did', async () => {
    expect((await reload()).body).toMatchObject({ added: [], changed: [], removed: [] });
  });

  it('is seen at /metrics', async () => {
    const refusals = async (): Promise<number> =>
      Number(/reloads_total\{outcome="refused"\} (\d+)/.exec(await metricsNow())?.[1] ?? 0);
    const before = await refusals();
    await ask(new Agent(), 1);
    await write('workflows: nothing');
    expect((await reload()).status).toBe(409);
    expect(await refusals()).toBe(before + 1);
    expect(await metricsNow()).toContain('helix_workspace_last_reload_refused 1');
    await write(written(1));
    await reload();
    const metrics = await metricsNow();
    expect(metrics).toMatch(/helix_workflow_completed_total\{workflow="outer"\} \d+/);
    expect(metrics).toContain('helix_workflow_up{workflow="steady"} 1');
    expect(metrics).toContain('helix_workspace_last_reload_refused 0');
  });

  it('leaves no series of a workflow that is gone', async () => {
    const passing = `  - id: passing\n    from: http-server://127.0.0.1:${port}/passing?method=GET\n    steps:\n      - set-body: by\n`;
    await write(written(23, passing));
    await reload();
    await ask(new Agent(), 1);
    expect(await (await fetch(`http://127.0.0.1:${port}/passing`)).text()).toBe('by');
    expect(await metricsNow()).toMatch(/helix_step_attempts_total\{workflow="passing",.*"ok"\} 1/);
    await write(written(23));
    expect((await reload()).body).toMatchObject({ removed: ['passing'] });
    const after = await metricsNow();
    expect(after).not.toContain('workflow="passing"');
    expect(after).toContain('helix_step_seconds_count{workflow="outer"}');
  });
});

const act = (id: string, action: string, client = ann) =>
  client.send('POST', `/v1/api/workflows/${id}/${action}`);

describe('one workflow', () => {
  it('is stopped and started, while its neighbours on the port go on', async () => {
    expect((await act('steady', 'stop')).body).toMatchObject({ id: 'steady', state: 'stopped' });
    expect((await fetch(`http://127.0.0.1:${port}/steady`)).status).toBe(503);
    expect(await ask(new Agent(), 7)).toMatchObject({ asked: 7 });
    expect((await act('steady', 'start')).body).toMatchObject({ state: 'started' });
    expect(await (await fetch(`http://127.0.0.1:${port}/steady`)).text()).toBe('steady');
    expect((await act('steady', 'restart')).body).toMatchObject({ state: 'started' });
    expect(await (await fetch(`http://127.0.0.1:${port}/steady`)).text()).toBe('steady');
    const page = { action: 'workflow.stop', limit: 10, cursor: undefined };
    const { items } = await helix.app.nest.get(AuditService).list(ann.organizationId, page);
    expect(items).toMatchObject([{ action: 'workflow.stop', target: 'steady' }]);
  });

  it('is shown with its schemas, where it is written and what is on its way', async () => {
    expect((await ann.get('/v1/api/workflows/number')).body).toMatchObject({
      id: 'number',
      trigger: { uri: 'tool://number', scheme: 'tool', address: null },
      inputSchema: { type: 'object' },
      source: expect.stringMatching(/^w\.yaml:\d+$/) as string,
      exchanges: [],
    });
    const { status } = await ann.get('/v1/api/workflows/nobody');
    expect(status).toBe(404);
    expect((await act('nobody', 'stop')).status).toBe(404);
  });

  it('is steered by owners and admins of the workspace that operates the deployment, and by nobody else', async () => {
    const organizations = helix.app.nest.get(OrganizationsService);
    const keys = helix.app.nest.get(ApiKeysService);
    const made = await organizations.create({ name: 'Other', owner: { name: 'Bob', email: null } }, operator);
    const draft = { name: 'test', scopes, projectIds: null, expiresAt: null, ...made };
    const bob = new Client(
      helix.url,
      (await keys.create(draft, operator)).secret,
      made.organizationId,
      made.userId,
    );
    expect((await bob.get('/v1/api/workflows')).status).toBe(403);
    expect((await act('steady', 'stop', bob)).status).toBe(403);
    expect((await ann.with(undefined).get('/v1/api/workflows')).status).toBe(401);
    expect((await find('steady')).state).toBe('started');
  });
});
