import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FirstRun, OrganizationsService } from '../../src/modules/organizations/index.js';
import { makeTestDatabase, startTestApp, type TestApp } from '../support/test-app.js';
import { secretWatch } from '../support/secret-guard.js';
import { Client } from './support/client.js';
import { Page } from './support/page.js';
import { restOver, Workbench } from './support/workbench.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function start(options: Parameters<typeof startTestApp>[0] = {}): Promise<TestApp> {
  const app = await startTestApp({ module: restOver(new Workbench()), ...options });
  open.push(app);
  return app;
}
const firstRunOf = (helix: TestApp) => helix.app.nest.get(FirstRun);
const bootstrapOf = async (helix: TestApp) =>
  JSON.parse(await readFile(join(helix.home, 'bootstrap.json'), 'utf8')) as Record<string, string>;

describe('the first run', () => {
  it('makes one owner, however many nodes start together', async () => {
    const database = await makeTestDatabase();
    open.push({ close: () => database.drop() });
    const nodes = await Promise.all([start({ database }), start({ database }), start({ database })]);
    const reports = await Promise.all(nodes.map((node) => firstRunOf(node).begin(node.url)));
    expect(reports.filter(({ bootstrap }) => bootstrap !== undefined)).toHaveLength(1);
    const [one] = nodes;
    expect(await one?.app.nest.get(OrganizationsService).all()).toHaveLength(1);
  });

  it('is over afterwards, but keeps the address in bootstrap.json up to date', async () => {
    const helix = await start();
    const first = await firstRunOf(helix).begin(helix.url);
    expect(first.bootstrap).toEqual(await bootstrapOf(helix));
    const second = await firstRunOf(helix).begin('http://127.0.0.1:4000');
    expect(second.bootstrap).toBeUndefined();
    expect(await bootstrapOf(helix)).toEqual({ ...first.bootstrap, apiUrl: 'http://127.0.0.1:4000' });
  });

  it('gives the owner a login, whose password stands in the file alone', async () => {
    const helix = await start();
    await firstRunOf(helix).begin(helix.url);
    const { email = '', password = '', organizationId = '' } = await bootstrapOf(helix);
    const owner = new Page(helix.url, organizationId, '', email);
    expect((await owner.login({ password })).body).toMatchObject({
      activeOrganizationId: organizationId,
      user: { isVerified: true },
    });
    const mint = { name: 'by hand', scopes: ['tools:read'] };
    expect((await owner.send('POST', '/v1/api/api-keys', mint)).status).toBe(201);
    expect(helix.logged()).not.toContain(password);
  });

  it('leaves a bootstrap.json that is no JSON as it is, and logs nothing of it', async () => {
    const helix = await start();
    await firstRunOf(helix).begin(helix.url);
    const path = join(helix.home, 'bootstrap.json');
    await writeFile(path, '{"apiKey": "cut-off", oops');
    expect((await firstRunOf(helix).begin('http://127.0.0.1:4000')).bootstrap).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe('{"apiKey": "cut-off", oops');
    expect(helix.logged()).toContain('cannot be brought up to date: it is no JSON.');
    expect(helix.logged()).not.toMatch(/cut-off|oops/);
  });

  it('hostile 39: can be left to a call with the token of the log, which works once', async () => {
    const helix = await start({ env: { HELIX_FIRST_RUN: 'setup' } });
    await firstRunOf(helix).begin(helix.url);
    await expect(bootstrapOf(helix)).rejects.toThrow(/ENOENT/);
    const token = /setup token ([\w-]+)/.exec(helix.logged())?.[1] ?? '';
    secretWatch.allow(token);
    const nobody = new Client(helix.url, undefined, '', '');
    const setUp = (body: unknown) =>
      nobody.send<{ apiKey: string; organizationId: string }>('POST', '/v1/api/setup', body);
    expect((await setUp({ token: 'guessed' })).status).toBe(401);
    expect((await setUp({})).status).toBe(400);
    const both = await Promise.all([setUp({ token }), setUp({ token })]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 404]);
    const made = both.find(({ status }) => status === 201)?.body;
    expect(made).toMatchObject({ email: 'owner@localhost' });
    const owner = new Client(helix.url, made?.apiKey, made?.organizationId ?? '', '');
    expect((await owner.get('/v1/api/tools')).status).toBe(200);
    expect((await setUp({ token })).status).toBe(404);
  });
});
