import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFile, stat } from 'node:fs/promises';
import { FirstRun } from '../../src/modules/organizations/index.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Client } from './support/client.js';

const workspace = join(import.meta.dirname, 'workspace');

let helix: TestApp;
let ann: Client;

beforeAll(async () => {
  helix = await startTestApp({ env: { HELIX_WORKFLOWS: workspace } });
  await helix.app.nest.get(FirstRun).begin(helix.url);
  const { apiUrl, organizationId, apiKey } = JSON.parse(
    await readFile(join(helix.home, 'bootstrap.json'), 'utf8'),
  ) as Record<'apiUrl' | 'organizationId' | 'apiKey', string>;
  ann = new Client(apiUrl, apiKey, organizationId, '');
});
afterAll(() => helix.close());

describe('the whole product, from an empty database', () => {
  it('wrote who may call it into bootstrap.json, for its owner’s eyes', async () => {
    const { mode } = await stat(join(helix.home, 'bootstrap.json'));
    expect(mode & 0o777).toBe(0o600);
    expect(
      Object.keys(JSON.parse(await readFile(join(helix.home, 'bootstrap.json'), 'utf8')) as object),
    ).toEqual(['apiUrl', 'organizationId', 'apiKey', 'email', 'password']);
    expect(helix.logged()).not.toContain(ann.apiKey);
  });

  it('shows the tools of its workflows, and finds them', async () => {
    const { status, body } = await ann.get<{
      items: { id: string }[];
      total: number;
      sources: { provider: string; status: string }[];
    }>('/v1/api/tools?query=gret%20person');
    expect(status).toBe(200);
    expect(body.items.map(({ id }) => id)).toEqual(['greet']);
    expect(body.total).toBe(1);
    expect(body.sources).toMatchObject([
      { provider: 'helix', status: 'ok', returned: 1, total: 1, message: null },
      { provider: 'treg', status: 'not_configured', returned: 0, total: 0 },
    ]);
    expect((await ann.get<{ items: unknown[] }>('/v1/api/tools?provider=treg')).body.items).toEqual([]);
    expect((await ann.get<{ items: unknown[] }>('/v1/api/tools?provider=nobody')).body.items).toEqual([]);
  });

  it('describes a tool: what it takes, how it runs, and that nothing is to be paid', async () => {
    const { body } = await ann.get('/v1/api/tools/greet');
    expect(body).toMatchObject({
      id: 'greet',
      provider: 'helix',
      origin: 'native',
      name: 'Greet',
      summary: 'Says hello to a person.',
      inputSchema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      policy: { redispatch: expect.any(String) as string, timeoutMs: expect.any(Number) as number },
      pricing: { model: 'free', accountingService: 'helix' },
      funding: {
        auto: { ready: true, source: 'none', reason: null },
        hlix: { ready: true, reason: null },
        organization: { ready: true, reason: null },
      },
      status: 'available',
    });
  });

  it('runs a tool by its workflow', async () => {
    const made = await ann.call('greet', { name: 'Ann' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      status: 'succeeded',
      input: { name: 'Ann' },
      result: { text: 'Hello Ann', mood: 'warm' },
    });
  });

  it('refuses arguments and broken rules before anything is stored', async () => {
    for (const [input, place] of [
      [{}, '/input/name'],
      [{ name: 7 }, '/input/name'],
      [{ name: 'Ann', mood: 'blue' }, '/input/mood'],
      [{ name: 'nobody' }, '/input/name'],
    ] as const) {
      const answer = await ann.call<{ fields: { path: string }[] }>('greet', input, {
        idempotencyKey: 'free',
      });
      expect([answer.status, answer.body.fields.map(({ path }) => path)]).toEqual([400, [place]]);
    }
    expect((await ann.call('greet', { name: 'Ann' }, { idempotencyKey: 'free' })).status).toBe(201);
  });

  it('has nothing left to set up', async () => {
    for (const body of [undefined, '{', { token: 'x' }])
      expect((await ann.with(undefined).send('POST', '/v1/api/setup', body)).status).toBe(404);
  });
});
