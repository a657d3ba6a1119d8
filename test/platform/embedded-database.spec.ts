import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../../src/common/platform/database/embedded/embedded-database.js';
import type { DatabaseAddress } from '../../src/common/platform/database/database-address.js';
import { bundleForNode } from '../support/bundle.js';
import { startChild, type Child } from '../support/child.js';

interface Ready {
  readonly origin: string;
  readonly address: DatabaseAddress;
}

const log = { write: () => {} };
let holder: string;
let shared: string;
let home: string;
const children: Child[] = [];
const fresh: string[] = [];

/** Making a database is the one slow step, so the stories share a home; each begins and ends with it stopped. */
beforeAll(async () => {
  holder = await bundleForNode('test/platform/embedded-holder.ts');
  shared = await mkdtemp(join(tmpdir(), 'helix-home-'));
  home = shared;
  await stopWhatRuns();
});
beforeEach(() => {
  home = shared;
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.end('SIGKILL');
  await stopWhatRuns();
  for (const folder of fresh.splice(0)) await rm(folder, { recursive: true, force: true });
});
afterAll(() => rm(shared, { recursive: true, force: true }));

/** A server that a story left running is adopted once more and stopped in order. */
async function stopWhatRuns(): Promise<void> {
  await (await openEmbeddedDatabase({ home, log })).close();
}

async function useFreshHome(...below: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'helix-home-'));
  fresh.push(folder);
  home = join(folder, ...below, 'home');
}

async function table(address: DatabaseAddress): Promise<string> {
  const name = `kept_${randomBytes(4).toString('hex')}`;
  await query(address, `CREATE TABLE ${name} AS SELECT 1 AS n`);
  return name;
}

async function hold(): Promise<Child & Ready> {
  const child = startChild(holder, [home]);
  children.push(child);
  return Object.assign(child, await child.nextLine<Ready>());
}

async function query(address: DatabaseAddress, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ ...address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(): Promise<number> {
  return Number((await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

test('made, stopped in order, started again: the rows are there, the home is private', async () => {
  await useFreshHome();
  const first = await openEmbeddedDatabase({ home, log });
  expect(first.origin).toBe('made');
  const kept = await table(first.address);
  expect(await query(first.address, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  await first.close();
  await expect(serverPid()).rejects.toThrow('ENOENT');

  expect((await stat(home)).mode & 0o777).toBe(0o700);
  expect((await stat(join(home, 'database-password'))).mode & 0o777).toBe(0o600);

  const second = await openEmbeddedDatabase({ home, log });
  expect([second.origin, await query(second.address, `SELECT n FROM ${kept}`)]).toEqual([
    'started',
    [{ n: 1 }],
  ]);
  await second.close();
});

test('text sorts by code point and folds case as Unicode says, on every machine', async () => {
  const database = await openEmbeddedDatabase({ home, log });
  const rows = await query(
    database.address,
    `SELECT string_agg(t, '' ORDER BY t) AS sorted, upper('äß') AS upper FROM unnest(ARRAY['b','a','B','ä']) AS t`,
  );
  expect(rows).toEqual([{ sorted: 'Babä', upper: 'Äß' }]);
  await database.close();
});

test('without the password nobody gets in', async () => {
  const database = await openEmbeddedDatabase({ home, log });
  await expect(query({ ...database.address, password: 'guess' }, 'SELECT 1')).rejects.toMatchObject({
    code: '28P01',
  });
  await database.close();
});

test('after kill -9 the next start adopts the server that lives on, with every acknowledged row', async () => {
  const first = await hold();
  const kept = await table(first.address);
  const pid = await serverPid();
  await first.end('SIGKILL');

  const second = await hold();
  expect([second.origin, await serverPid()]).toEqual(['adopted', pid]);
  expect(await query(second.address, `SELECT n FROM ${kept}`)).toEqual([{ n: 1 }]);
  expect(await second.end('SIGTERM')).toBe(0);
  await expect(serverPid()).rejects.toThrow('ENOENT');
});

test('after kill -9 of both the next start recovers', async () => {
  const first = await hold();
  const kept = await table(first.address);
  const pid = await serverPid();
  await first.end('SIGKILL');
  process.kill(pid, 'SIGKILL');

  const second = await hold();
  expect([second.origin, await query(second.address, `SELECT n FROM ${kept}`)]).toEqual([
    'started',
    [{ n: 1 }],
  ]);
});

test('a server that dies under a living Helix is started again', async () => {
  const first = await hold();
  process.kill(await serverPid(), 'SIGKILL');
  await expect
    .poll(() => query(first.address, 'SELECT 1 AS n').catch(() => 'down'), { timeout: 20_000, interval: 50 })
    .toEqual([{ n: 1 }]);
});

test('a second Helix on the home is refused, by name of the first; a visitor may join', async () => {
  const first = await hold();
  const second = startChild(holder, [home]);
  const { refused } = await second.nextLine<{ refused: string }>();
  expect(refused).toMatch(new RegExp(`process ${first.pid}\\) uses the home .*DATABASE_URL`));
  expect(await second.ended()).toBe(2);

  const visitor = await openEmbeddedDatabase({ home, log, role: 'visit' });
  expect([visitor.origin, await query(visitor.address, 'SELECT 1 AS n')]).toEqual(['visited', [{ n: 1 }]]);
  await visitor.close();
  expect(await query(first.address, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
});

test('a second Helix is refused even where the lock file was deleted', async () => {
  await hold();
  await rm(join(home, 'helix.lock'));
  await expect(openEmbeddedDatabase({ home, log })).rejects.toMatchObject({ exitCode: 2 });
});

test('of ten that start at once exactly one gets the home', async () => {
  // A lock of a process that is gone, so that all of them have to clear it away first.
  await writeFile(
    join(home, 'helix.lock'),
    JSON.stringify({ pid: 4_194_000, startMark: 'gone', host: '', token: 'x' }),
  );
  const starters = Array.from({ length: 10 }, () => startChild(holder, [home]));
  children.push(...starters);
  const said = await Promise.all(starters.map((starter) => starter.nextLine<{ origin?: string }>()));
  expect(said.filter(({ origin }) => origin !== undefined)).toHaveLength(1);
});

test('a postmaster.pid whose number another process has by now does not keep the server from starting', async () => {
  const file = join(home, 'postgres', 'postmaster.pid');
  await writeFile(file, `${process.ppid}\n${join(home, 'postgres')}\n1700000000\n5432\n${home}\n\n\nready\n`);
  const database = await openEmbeddedDatabase({ home, log });
  expect(database.origin).toBe('started');
  await database.close();
});

test('a start that was cut off while the data was being made is made again', async () => {
  await useFreshHome();
  await mkdir(join(home, 'postgres.new', 'base'), { recursive: true });
  const database = await openEmbeddedDatabase({ home, log });
  expect(database.origin).toBe('made');
  await database.close();
});

test('a home whose path is too long for a socket has it elsewhere, and can be adopted all the same', async () => {
  await useFreshHome('long'.repeat(15), 'longer'.repeat(10));
  const first = await hold();
  expect(first.address.host).not.toContain('long');
  await first.end('SIGKILL');
  const second = await hold();
  expect([second.origin, second.address.host]).toEqual(['adopted', first.address.host]);
  await second.end('SIGTERM');
  await expect(stat(first.address.host)).rejects.toThrow('ENOENT');
});

test('data without its password is told, not overwritten', async () => {
  const file = join(home, 'database-password');
  const password = await readFile(file, 'utf8');
  await rm(file);
  await expect(openEmbeddedDatabase({ home, log })).rejects.toThrow(/database-password is missing/);
  await writeFile(file, 'not it');
  await expect(openEmbeddedDatabase({ home, log })).rejects.toThrow(/does not open the database/);
  await writeFile(file, password);
});
