import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { bundleForNode } from '../support/bundle.js';
import { makeTestDatabase, startTestApp, type TestDatabase } from '../support/test-app.js';
import { Client, eventually, type RestStory, startRest } from './support/client.js';
import { gate, restOver, Workbench } from './support/workbench.js';

interface Call {
  id: string;
  status: string;
  attempts: number;
  result: unknown;
  error: { code: string } | null;
  completedAt: string | null;
}

let database: TestDatabase;
let story: RestStory;
let ann: Client;

beforeAll(async () => {
  database = await makeTestDatabase();
  story = await startRest({ database });
  ann = await story.owner();
});
afterAll(async () => {
  await story.close();
  await database.drop();
});

const sql = (text: string, parameters: unknown[] = []) =>
  story.helix.app.nest.get(DataSource).query<Record<string, unknown>[]>(text, parameters);
const read = async (id: string) => (await ann.get<Call>(`/v1/api/tool-calls/${id}`)).body;
/** As if the node had been silent for longer than its lease. */
const loseLease = (id: string) =>
  sql(`UPDATE tool_call SET lease_until = now() - interval '1 s' WHERE id = $1`, [id]);

describe('a node that is lost', () => {
  it('before it reached the tool: another node runs the call, once, though it may not be run twice', async () => {
    const bench = story.bench;
    bench.add('orphan', { work: () => 'done', policy: { redispatch: 'never' } });
    const made = await ann.call<Call>('orphan', {});
    const before = bench.runsOf('orphan');
    const { id } = made.body;
    await sql(
      `UPDATE tool_call SET status = 'queued', attempts = 0, dispatched_at = NULL, started_at = NULL, completed_at = NULL,
         result = NULL, lease_owner = 'a node that is gone', lease_until = now() - interval '1 s' WHERE id = $1`,
      [id],
    );
    const other = await startTestApp({ module: restOver(bench), database });
    try {
      await eventually(async () => (await read(id)).status).toBe('succeeded');
      expect(await read(id)).toMatchObject({ attempts: 1, result: 'done' });
      expect(bench.runsOf('orphan')).toBe(before + 1);
    } finally {
      await other.close();
    }
  });

  it('and comes back from a pause finds its call taken over, and changes nothing', async () => {
    const first = gate();
    const benchOfOther = new Workbench();
    const policy = { redispatch: 'safe' } as const;
    story.bench.add('paused', { work: () => first.opened.then(() => 'of the zombie'), policy });
    benchOfOther.add('paused', { work: () => 'of the new owner', policy });
    const made = await ann.call<Call>('paused', {}, {}, { prefer: 'wait=0' });
    const { id } = made.body;
    const other = await startTestApp({ module: restOver(benchOfOther), database });
    try {
      await loseLease(id);
      await eventually(async () => (await read(id)).status).toBe('succeeded');
      const taken = await read(id);
      expect(taken).toMatchObject({ result: 'of the new owner', attempts: 2 });
      first.open();
      await eventually(() => story.helix.logged()).toContain('ended after its lease was lost');
      expect(await read(id)).toEqual(taken);
    } finally {
      await other.close();
    }
  });

  it('leaves a call that may not run twice as unknown; what the node learns later is kept, not reported', async () => {
    const held = gate();
    story.bench.add('once', { work: () => held.opened.then(() => 'it did happen') });
    const made = await ann.call<Call>('once', {}, {}, { prefer: 'wait=0' });
    const { id } = made.body;
    await eventually(() => story.bench.runsOf('once')).toBe(1);
    const other = await startTestApp({ module: restOver(story.bench), database });
    try {
      await loseLease(id);
      await eventually(async () => (await read(id)).status).toBe('unknown');
      const given = await read(id);
      expect(given).toMatchObject({ error: { code: 'outcome_unknown' }, result: null, attempts: 1 });
      held.open();
      const late = async () =>
        (await sql('SELECT late_outcome FROM tool_call WHERE id = $1', [id]))[0]?.late_outcome;
      await eventually(late).toContain('it did happen');
      expect(await read(id)).toEqual(given);
      expect(story.bench.runsOf('once')).toBe(1);
    } finally {
      await other.close();
    }
  });

  it('again and again takes no more than five nodes with it', async () => {
    story.bench.add('deadly', { work: () => 'survived', policy: { redispatch: 'safe' } });
    const { id } = (await ann.call<Call>('deadly', {})).body;
    await sql(
      `UPDATE tool_call SET status = 'running', attempts = 5, completed_at = NULL, result = NULL,
         lease_owner = 'gone', lease_until = now() - interval '1 s' WHERE id = $1`,
      [id],
    );
    await eventually(async () => (await read(id)).status).toBe('unknown');
    expect(story.bench.runsOf('deadly')).toBe(1);
  });
});

describe('a database that is away', () => {
  it('refuses new calls with 503 and stores none; a call that ended meanwhile is written when it is back', async () => {
    const held = gate();
    const lonely = await makeTestDatabase();
    const away = await startRest({ database: lonely });
    try {
      const bob = await away.owner();
      away.bench.add('held', { work: () => held.opened.then(() => 'kept') });
      const { id } = (await bob.call<Call>('held', {}, {}, { prefer: 'wait=0' })).body;
      await eventually(() => away.bench.runsOf('held')).toBe(1);
      const name = new URL(lonely.url).pathname.slice(1);
      await sql(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
      await sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      held.open();
      // The first may still meet a broken connection, the later ones are refused a new one.
      for (let turn = 0; turn < 3; turn++) expect((await bob.call('held', {})).status).toBe(503);
      await sql(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
      const ended = async () => (await bob.get<Call>(`/v1/api/tool-calls/${id}`)).body;
      await eventually(async () => (await ended()).status).toBe('succeeded');
      expect((await ended()).result).toBe('kept');
      expect(away.bench.runsOf('held')).toBe(1);
    } finally {
      await away.close();
      await lonely.drop();
    }
  });
});

describe('kill -9', () => {
  const children: ChildProcess[] = [];
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helix-kill-'));
    await writeFile(join(folder, 'runs'), '');
    program = await bundleForNode('test/rest/support/node-process.ts');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function startNode(hangs: boolean): Promise<{ child: ChildProcess; client: Client }> {
    const child = spawn(process.execPath, ['--enable-source-maps', program], {
      env: {
        ...process.env,
        PORT: '0',
        HELIX_HOME: join(folder, 'home'),
        DATABASE_URL: database.url,
        HELIX_KEYRING: database.keyring,
        LOG_LEVEL: 'silent',
        TEST_RUNS: join(folder, 'runs'),
        ...(hangs && { TEST_HANG: '1' }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    for await (const line of createInterface({ input: child.stdout })) {
      const [, url] = /^listening (.*)$/.exec(line) ?? [];
      if (url !== undefined) return { child, client: new Client(url, ann.apiKey, ann.organizationId, '') };
    }
    throw new Error('The node ended before it listened.');
  }
  const runs = async () =>
    (await readFile(join(folder, 'runs'), 'utf8')).split('\n').filter((line) => line !== '');

  it('after the 201 loses no call: the safe one runs again, the other is given up as unknown, none is run behind one’s back', async () => {
    // The story's own node must not be the one that recovers: it does not know these tools.
    story.bench.add('safe', { work: () => 'done', policy: { redispatch: 'safe' } });
    const { child, client } = await startNode(true);
    const safe = await client.call<Call>('safe', {}, {}, { prefer: 'wait=0' });
    const never = await client.call<Call>('never', {}, { idempotencyKey: 'killed' }, { prefer: 'wait=0' });
    expect([safe.status, never.status]).toEqual([201, 201]);
    await eventually(async () => (await runs()).toSorted()).toEqual(['never', 'safe']);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const { client: restarted } = await startNode(false);
    expect((await restarted.get(`/v1/api/tool-calls/${safe.body.id}`)).status).toBe(200);
    expect((await restarted.get(`/v1/api/tool-calls/${never.body.id}`)).status).toBe(200);
    for (const { body } of [safe, never]) await loseLease(body.id);
    await eventually(async () => (await read(safe.body.id)).status).toBe('succeeded');
    await eventually(async () => (await read(never.body.id)).status).toBe('unknown');
    expect(await read(safe.body.id)).toMatchObject({ attempts: 2, result: 'done' });
    expect((await runs()).filter((line) => line === 'never')).toEqual(['never']);
    const replay = await restarted.call<Call>('never', {}, { idempotencyKey: 'killed' });
    expect([replay.status, replay.body.status]).toEqual([200, 'unknown']);
  }, 120_000);
});
