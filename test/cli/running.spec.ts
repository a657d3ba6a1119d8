import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { catalogue } from '../../src/cli/catalogue.js';
import { WorkflowEngine } from '../../src/modules/workflow-engine/index.js';
import { bundleForNode } from '../support/bundle.js';
import { fetchDocumented } from '../support/fetch-documented.js';
import { administer } from '../support/database-pool.js';
import { makeTestDatabase, startTestApp, type TestDatabase } from '../support/test-app.js';
import { secretWatch } from '../support/secret-guard.js';
import { HelixProgram, type Finished, type Running } from './helix-process.js';

const workspace = `
tools:
  - id: greet
    description: Greets a person
    side-effects: read
    input:
      name: { type: string, required: true }
    steps:
      - set-body: { starlang: '{ text: "hello " ++ payload.name }' }
  - id: refuse
    input: {}
    steps:
      - throw: not today
`;

// Many of these start a whole app in a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let database: TestDatabase;
let helix: HelixProgram;
let server: Running;
let banner: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-run-'));
  await writeFile(join(folder, 'w.yaml'), workspace);
  database = await makeTestDatabase();
  const environment = {
    HELIX_HOME: join(folder, 'home'),
    DATABASE_URL: database.url,
    HELIX_KEYRING: database.keyring,
    PORT: '0',
  };
  helix = new HelixProgram(await bundleForNode('src/cli.ts'), environment, folder);
  server = helix.start(['run', 'w.yaml']);
  banner = await server.until('Ctrl-C');
}, 240_000);

let stopped: Finished;
afterAll(async () => {
  stopped ??= await server.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function bootstrap(): Promise<Record<'apiUrl' | 'apiKey' | 'email' | 'password', string>> {
  const text = await readFile(join(folder, 'home', 'bootstrap.json'), 'utf8');
  secretWatch.keepMembers(text, 'bootstrap.json');
  return JSON.parse(text) as Record<'apiUrl' | 'apiKey' | 'email' | 'password', string>;
}

describe('helix run', () => {
  it('prints the addresses and where the key is, never the key', async () => {
    const { apiUrl, apiKey } = await bootstrap();
    for (const part of [`${apiUrl}/v1/api`, `${apiUrl}/docs`, `${apiUrl}/mcp`, 'bootstrap.json', '2 tools']) {
      expect(banner).toContain(part);
    }
    expect(banner).not.toContain(apiKey);
    expect((await stat(join(folder, 'home', 'bootstrap.json'))).mode & 0o777).toBe(0o600);
  });

  it('prints a curl line that works as it stands', async () => {
    const line = banner.split('\n').find((text) => text.includes('curl')) ?? '';
    const url = /http\S+/.exec(line)?.[0] ?? '';
    const body = /-d '(.*)'/.exec(line)?.[1] ?? '';
    const { apiKey } = await bootstrap();
    const answer = await fetchDocumented(url, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(201);
  });

  it('refuses a broken workspace before it opens anything, exit 1', async () => {
    await writeFile(join(folder, 'broken.yaml'), 'tools: [{ id: a, stepz: [] }]');
    const { code, err } = await helix.run(['run', 'broken.yaml']);
    expect(code).toBe(1);
    expect(err).toContain('did you mean "steps"?');
  });
});

describe('helix call', () => {
  it('prints the result alone, or the whole call with --json', async () => {
    const plain = await helix.run(['call', 'greet', '--input', '{"name":"Ada"}']);
    expect(plain).toMatchObject({ code: 0, out: '{\n  "text": "hello Ada"\n}\n' });
    const { out } = await helix.run(['call', 'greet', '--input', '-', '--key', 'k1', '--json'], {
      stdin: '{"name":"B"}',
    });
    const again = await helix.run(['call', 'greet', '--input', '{"name":"B"}', '--key', 'k1', '--json']);
    expect(JSON.parse(again.out)).toMatchObject({
      id: (JSON.parse(out) as { id: string }).id,
      status: 'succeeded',
    });
  });

  it('exits 1 for wrong arguments, a failed call, an unknown tool', async () => {
    const wrong = await helix.run(['call', 'greet', '--input', '{}']);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('/input/name') as string });
    expect(await helix.run(['call', 'refuse'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('failed') as string,
    });
    expect((await helix.run(['call', 'gone'])).code).toBe(1);
  });
});

describe('helix tools', () => {
  it('lists and searches', async () => {
    expect((await helix.run(['tools'])).out).toMatch(/greet\s+helix\s+free\s+Greets a person/);
    expect(JSON.parse((await helix.run(['tools', 'greets', '--json'])).out)).toMatchObject({
      items: [{ id: 'greet' }],
    });
  });
});

describe('helix keys', () => {
  it('makes a key that works until it is revoked', async () => {
    const made = await helix.run(['keys', 'create', 'ci', '--scopes', 'tools:read', '--json']);
    const { id, apiKey } = JSON.parse(made.out) as { id: string; apiKey: string };
    const env = { HELIX_API_KEY: apiKey };
    expect((await helix.run(['tools'], { env })).code).toBe(0);
    expect((await helix.run(['call', 'greet', '--input', '{"name":"A"}'], { env })).code).toBe(1);
    const list = await helix.run(['keys', 'list']);
    expect(list.out).toContain(id);
    expect(list.out).not.toContain(apiKey);
    const rotated = await helix.run(['keys', 'rotate', id, '--grace', '0']);
    expect((await helix.run(['tools'], { env: { HELIX_API_KEY: rotated.out.trim() } })).code).toBe(0);
    expect((await helix.run(['tools'], { env })).code).toBe(2);
    expect((await helix.run(['keys', 'rotate', id, '--grace', '8d'])).code).toBe(1);
    expect((await helix.run(['keys', 'revoke', id])).code).toBe(0);
    const refused = await helix.run(['tools'], { env });
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('HELIX_API_KEY') as string });
    expect((await helix.run(['keys', 'create', 'x', '--scopes', 'tools:reed'])).code).toBe(1);
  });
});

describe('helix members', () => {
  it('gives a person who lost it another password, ends their sessions, and is told', async () => {
    const { apiUrl, email, password } = await bootstrap();
    const login = (shown: string) =>
      fetch(`${apiUrl}/v1/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: apiUrl },
        body: JSON.stringify({ email, password: shown }),
      });
    const session = async (cookie: string) =>
      (await fetch(`${apiUrl}/v1/api/auth/session`, { headers: { cookie } })).status;
    const before = (await login(password)).headers.getSetCookie().join('').split(';')[0] ?? '';
    expect(await session(before)).toBe(200);

    const list = await helix.run(['members', 'list']);
    expect(list.out).toMatch(new RegExp(`^${email} +owner +`, 'm'));
    const reset = await helix.run(['members', 'reset-password', email.toUpperCase()]);
    expect(reset).toMatchObject({ code: 0, err: expect.stringContaining('sessions are over') as string });
    expect([await session(before), (await login(password)).status]).toEqual([401, 401]);
    expect((await login(reset.out.trim())).status).toBe(200);

    const own = 'a phrase of my own';
    const given = await helix.run(['members', 'reset-password', email, '--stdin'], { stdin: `${own}\n` });
    expect(given).toMatchObject({ code: 0, out: '' });
    expect((await login(own)).status).toBe(200);
    const short = await helix.run(['members', 'reset-password', email, '--stdin'], { stdin: 'short\n' });
    expect(short).toMatchObject({ code: 1, err: expect.stringContaining('12 to 200') as string });
    const nobody = await helix.run(['members', 'reset-password', 'nobody@example.com']);
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining('nobody@example.com') as string });

    const told = await helix.run(['audit', '--action', 'password.reset', '--json']);
    expect(JSON.parse(told.out)).toMatchObject([{ actorType: 'operator' }, { actorType: 'operator' }]);
    expect(told.out).not.toContain(own);
  });
});

const targetsOf = (entries: unknown) => (entries as { target: string }[]).map(({ target }) => target);

describe('helix audit', () => {
  it('tells what the commands changed', async () => {
    const made = await helix.run(['keys', 'create', 'told', '--json']);
    const { id, apiKey } = JSON.parse(made.out) as { id: string; apiKey: string };
    const told = await helix.run(['audit', '--action', 'apiKey.create', '--limit', '1']);
    expect(told.out).toMatch(new RegExp(`apiKey\\.create +${id} +operator operator`));
    expect(told.out).not.toContain(apiKey);
    const [entry] = JSON.parse((await helix.run(['audit', '--json'])).out) as { action: string }[];
    expect(entry).toMatchObject({ action: 'apiKey.create', target: id });
  });

  it('exports all there is, however much, each entry once', async () => {
    await administer(
      database.url,
      `INSERT INTO audit_entry (id, organization_id, action, actor_type, actor_id, target, details)
       SELECT 'aud_' || gen_random_uuid(), (SELECT min(id) FROM organization), 'story.export', 'operator', 'operator', 'n' || n, '{}'
       FROM generate_series(1, 2300) n`,
    );
    const words = ['audit', '--action', 'story.export', '--limit'];
    const all = await helix.run([...words, 'all', '--ndjson']);
    const lines = all.out.trimEnd().split('\n');
    const targets = targetsOf(lines.map((line) => JSON.parse(line) as unknown));
    expect([targets.length, new Set(targets).size]).toEqual([2300, 2300]);
    const some = await helix.run([...words, '1001', '--json']);
    expect(targetsOf(JSON.parse(some.out))).toEqual(targets.slice(0, 1001));
    expect(await helix.run([...words, '0'])).toMatchObject({ code: 1, out: '' });
  });
});

describe('helix wallet', () => {
  it('moves money once for each key, and tells of it in the ledger and the audit log', async () => {
    const topUp = ['wallet', 'top-up', '5000000', '--reason', 'first money', '--key', 'k1'];
    expect(await helix.run(topUp)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\$5\.000000 moved, as entry 1\.\nbalance +\$5\.000000\n/) as string,
    });
    expect((await helix.run(topUp)).out).toMatch(/was moved before, as entry 1\.\nbalance +\$5\.000000\n/);
    const taken = await helix.run(['wallet', 'adjust', '-1250000', '--reason', 'counted twice', '--json']);
    expect(JSON.parse(taken.out)).toMatchObject({
      entry: { number: 2, kind: 'adjustment', amountMicros: -1_250_000, reason: 'counted twice' },
      wallet: { balanceMicros: 3_750_000, heldMicros: 0 },
    });

    const shown = await helix.run(['wallet', 'show', '--json']);
    expect(JSON.parse(shown.out)).toMatchObject({ balanceMicros: 3_750_000, heldMicros: 0 });
    const [, newest, first] = (await helix.run(['wallet', 'ledger'])).out.split('\n');
    expect(newest).toMatch(/^2 .* adjustment +-\$1\.250000 +\$3\.750000 +counted twice$/);
    expect(first).toMatch(/^1 .* top_up +\$5\.000000 +\$5\.000000 +first money$/);
    expect((await helix.run(['audit', '--limit', '2'])).out.match(/wallet\.\S+/g)).toHaveLength(2);
  }, 300_000);

  it('refuses what is no amount, and a key that moved another one, and moves nothing', async () => {
    const before = (await helix.run(['wallet', 'show'])).out;
    for (const [words, why] of [
      [['top-up', '-1', '--reason', 'x'], 'above 0'],
      [['adjust', '0', '--reason', 'x'], 'whole number'],
      [['top-up', '1'], '--reason'],
      [['top-up', '1', '--reason', 'x', '--key', 'k1'], 'This key already'],
    ] as const) {
      const { code, out, err } = await helix.run(['wallet', ...words]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(why);
    }
    expect((await helix.run(['wallet', 'show'])).out).toBe(before);
  });
});

describe('helix openapi', () => {
  it('prints both versions of the document', async () => {
    const { paths, openapi } = JSON.parse((await helix.run(['openapi'])).out) as {
      openapi: string;
      paths: object;
    };
    expect(openapi).toBe('3.1.1');
    expect(Object.keys(paths)).toContain('/v1/api/tools/{toolId}/call');
    expect(JSON.parse((await helix.run(['openapi', '--version', '3.0'])).out)).toMatchObject({
      openapi: '3.0.3',
    });
  });
});

describe('helix doctor', () => {
  it('finds everything in order, and says how to mend what is not', async () => {
    const fine = await helix.run(['doctor', '--json'], { env: { HELIX_WORKFLOWS: 'w.yaml' } });
    expect(JSON.parse(fine.out)).not.toContainEqual(expect.objectContaining({ state: 'wrong' }));
    expect(fine.code).toBe(0);
    const env = {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:9/x',
      REDIS_URL: 'redis://127.0.0.1:9',
      PORT: 'x',
    };
    expect(await helix.run(['doctor'], { env })).toMatchObject({
      code: 2,
      out: expect.stringContaining('PORT') as string,
    });
    const { code, out } = await helix.run(['doctor'], { env: { ...env, PORT: '0' } });
    expect(code).toBe(2);
    expect(out).toContain('→ Start PostgreSQL');
    expect(out).toContain('→ Start Redis');
  });

  it('exits 1 where only the workspace is wrong', async () => {
    expect((await helix.run(['doctor'], { env: { HELIX_WORKFLOWS: join(folder, 'gone') } })).code).toBe(1);
  });
});

describe('SIGTERM', () => {
  it('drains and exits 0', async () => {
    stopped = await server.stop();
    expect(stopped.code).toBe(0);
  });
});

const schemes = (list: readonly { scheme: string }[]): readonly string[] =>
  list.map(({ scheme }) => scheme).sort();

describe('the catalogue of the commands', () => {
  it('holds what the app finds among its providers', async () => {
    const app = await startTestApp({ env: { HELIX_WORKFLOWS: join(folder, 'w.yaml') } });
    try {
      const { engine } = app.app.nest.get(WorkflowEngine);
      expect(schemes(catalogue().components)).toEqual(schemes(engine.components.all()));
      expect(catalogue().steps.map(({ keyword }) => keyword)).toEqual(
        engine.steps.types.map(({ keyword }) => keyword),
      );
    } finally {
      await app.close();
    }
  });
});
