import { tmpdir } from 'node:os';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Controller, Get, Module } from '@nestjs/common';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from '../../src/common/platform/config/env.js';
import { HelixApp } from '../../src/common/platform/http/create-app.js';
import { openEmbeddedDatabase } from '../../src/common/platform/database/embedded/embedded-database.js';
import { HealthModule } from '../../src/modules/health/index.js';
import { administer } from '../support/database-pool.js';
import { bundleForNode } from '../support/bundle.js';
import { startChild, type Child } from '../support/child.js';
import { makeTestDatabase, startTestApp, type TestDatabase } from '../support/test-app.js';

let began: () => void;
let proceed: () => void;
const hasBegun = new Promise<void>((resolve) => (began = resolve));
const mayProceed = new Promise<void>((resolve) => (proceed = resolve));

@Controller()
class SlowController {
  @Get('slow')
  async slow(): Promise<string> {
    began();
    await mayProceed;
    return 'done';
  }
}

@Module({ imports: [HealthModule], controllers: [SlowController] })
class SlowModule {}

let database: TestDatabase;
beforeAll(async () => {
  database = await makeTestDatabase();
});
afterAll(() => database.drop());

const freshKey = () => randomBytes(32).toString('base64');

test('closing lets an answer that is under way be finished', async () => {
  const helix = await startTestApp({ module: SlowModule, database });
  const answer = fetch(`${helix.url}/slow`);
  await hasBegun;
  const closing = helix.close();
  proceed();
  expect(await (await answer).text()).toBe('done');
  await closing;
  await expect(fetch(`${helix.url}/health/live`)).rejects.toThrow('fetch failed');
});

test('a start with another key under the same name is refused, so is a ring without the key', async () => {
  const first = await startTestApp({ module: HealthModule, database });
  await first.close();
  const start = (HELIX_KEYRING: string) =>
    startTestApp({ module: HealthModule, database, env: { HELIX_KEYRING } });
  await expect(start(`test:${freshKey()}`)).rejects.toThrow(/The key test of HELIX_KEYRING is not the key/);
  await expect(start(`other:${freshKey()}`)).rejects.toThrow(
    /holds none of the keys of this database \(test\)/,
  );
  const rotated = await start(`new:${freshKey()},${database.keyring}`);
  await rotated.close();
  expect(await administer(database.url, 'SELECT key_id FROM keyring_canary ORDER BY 1')).toEqual([
    { key_id: 'new' },
    { key_id: 'test' },
  ]);
});

test('a keyring file that is missing is told, and never made beside a database of your own', async () => {
  const HELIX_KEYRING_FILE = '/nowhere/keyring';
  const start = startTestApp({
    module: HealthModule,
    database,
    env: { HELIX_KEYRING: '', HELIX_KEYRING_FILE },
  });
  await expect(start).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(HELIX_KEYRING_FILE),
  });
});

test('a start that is refused says so in one sentence, and leaves no connection behind', async () => {
  const own = await makeTestDatabase();
  const first = await startTestApp({ module: HealthModule, database: own });
  await first.close();
  const home = await mkdtemp(join(tmpdir(), 'helix-refused-'));
  onTestFinished(async () => {
    await rm(home, { recursive: true, force: true });
    await own.drop();
  });
  const lines: string[] = [];
  const logTo = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const config = readEnvironment({
    HELIX_HOME: home,
    PORT: '0',
    LOG_FORMAT: 'json',
    DATABASE_URL: own.url,
    HELIX_KEYRING: `other:${freshKey()}`,
  });
  await expect(HelixApp.create(HealthModule, config, { logTo })).rejects.toThrow(/holds none of the keys/);
  expect(lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line))).toEqual([]);
  const name = new URL(own.url).pathname.slice(1);
  const left = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = '${name}'`;
  await expect.poll(() => administer(database.url, left)).toEqual([{ n: 0 }]);
});

test('a database that goes away is 503 with a code, and comes back', async () => {
  const helix = await startTestApp({ module: HealthModule });
  const name = new URL(helix.database.url).pathname.slice(1);
  await administer(database.url, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
  await administer(
    database.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  const down = await fetch(`${helix.url}/health/ready`);
  expect([down.status, await down.json()]).toEqual([503, expect.objectContaining({ status: 'down' })]);
  await administer(database.url, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
  await expect.poll(async () => (await fetch(`${helix.url}/health/ready`)).status).toBe(200);
  await helix.close();
});

test(
  'the whole program on the embedded database: starts, keeps its key, stops with 0',
  { timeout: 120_000 },
  async () => {
    const file = await bundleForNode('src/main.ts');
    const folder = await mkdtemp(join(tmpdir(), 'helix-main-'));
    const home = join(folder, 'home');
    const children: Child[] = [];
    onTestFinished(async () => {
      for (const child of children) await child.end('SIGKILL');
      await (await openEmbeddedDatabase({ home, log: { write: () => {} } })).close();
      await rm(folder, { recursive: true, force: true });
    });
    const start = () => {
      const child = startChild(file, [], { HELIX_HOME: home, PORT: '0', LOG_FORMAT: 'json' });
      children.push(child);
      return child;
    };
    const first = start();
    const url = await untilListening(first);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    const key = await readFile(join(home, 'keyring'), 'utf8');
    expect((await stat(join(home, 'keyring'))).mode & 0o777).toBe(0o600);
    expect(await first.end('SIGTERM')).toBe(0);

    // Without its key the data could not be read: a new one is not made in silence.
    await rm(join(home, 'keyring'));
    const keyless = start();
    expect(await keyless.ended()).toBe(2);

    await writeFile(join(home, 'keyring'), key);
    const second = start();
    await untilListening(second);
    expect(await second.end('SIGINT')).toBe(0);
  },
);

async function untilListening(child: Child): Promise<string> {
  for (;;) {
    const { message } = await child.nextLine<{ message: string }>();
    const [, url] = /listens on (\S+),/.exec(message) ?? [];
    if (url !== undefined) return url;
  }
}
