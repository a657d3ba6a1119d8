import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.js';
import { KeyRotation } from '../../src/common/platform/crypto/key-rotation.js';
import { SealedTables } from '../../src/common/platform/crypto/sealed-tables.js';
import { ConnectionsService } from '../../src/modules/connections/index.js';
import { makeTestDatabase, type TestDatabase } from '../support/test-app.js';
import { Client, eventually, type RestStory, startRest } from './support/client.js';

/** One database, met with the old keyring, with both keys, and with the new one alone. */
const path = '/v1/api/tools/connections/treg';
const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [k1, k2, k3] = [keyOf('k1'), keyOf('k2'), keyOf('k3')];

let database: TestDatabase;
let open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await makeTestDatabase();
});
afterEach(async () => {
  for (const story of open) await story.close();
  open = [];
});
afterAll(() => database.drop());

async function startWith(keyring: string): Promise<RestStory> {
  const story = await startRest({ database, env: { HELIX_KEYRING: keyring } });
  open.push(story);
  return story;
}

async function ownerWith(story: RestStory, apiKey: string): Promise<Client> {
  const owner = await story.owner();
  await owner.send('PUT', path, { apiKey, organizationId: '' });
  return owner;
}

async function tokenOf(story: RestStory, { organizationId }: Client): Promise<string | undefined> {
  const usable = await story.helix.app.nest.get(ConnectionsService).open(organizationId, 'treg');
  return usable?.token.reveal();
}

const rotationOf = ({ helix }: RestStory) => helix.app.nest.get(KeyRotation);
const readiness = async ({ helix }: RestStory) =>
  (await (await fetch(`${helix.url}/health/ready`)).json()) as {
    status: string;
    checks: { secrets: { state: string; note?: string } };
  };

async function keysUnder(story: RestStory): Promise<Record<string, number>> {
  const { uses } = await rotationOf(story).status();
  const ofKeys = uses.filter(({ table }) => table === 'api_key');
  return Object.fromEntries(ofKeys.map(({ keyId, rows }) => [keyId, rows]));
}

async function helix(words: string[], keyring: string) {
  const written = { out: '', err: '' };
  const code = await runCommand(words, {
    environment: {
      DATABASE_URL: database.url,
      HELIX_KEYRING: keyring,
      HELIX_TREG_URL: 'http://127.0.0.1:1',
      LOG_LEVEL: 'silent',
    },
    folder: process.cwd(),
    isTerminal: false,
    hasColour: false,
    out: (text) => (written.out += text),
    err: (text) => (written.err += text),
  });
  return { code, ...written };
}

let owners: readonly [Client, Client, Client];

describe('stored secrets', () => {
  it('stand under the key of their time, and are counted by it', async () => {
    const story = await startWith(k1);
    owners = [
      await ownerWith(story, 'token of ann'),
      await ownerWith(story, 'token of bob'),
      await ownerWith(story, 'token of cem'),
    ];
    const { status, checks } = await readiness(story);
    expect([status, checks.secrets]).toEqual(['ok', { state: 'ok' }]);
    expect((await helix(['secrets', 'status', '--json'], k1)).out).toContain('"missing": []');
  });

  it('move to the new key while others work, and one that does not open holds up none', async () => {
    const story = await startWith(`${k2},${k1}`);
    const [ann, bob, cem] = owners;
    const db = story.helix.app.nest.get(DataSource);
    await db.query(
      `UPDATE tool_connection SET sealed_token = (SELECT sealed_token FROM tool_connection WHERE organization_id = $1)
       WHERE organization_id = $2`,
      [ann.organizationId, cem.organizationId],
    );
    // Two at once, as two operators would: each row is moved once.
    const ends = await Promise.all([rotationOf(story).rotate(), rotationOf(story).rotate()]);
    expect(ends[0].rewrapped + ends[1].rewrapped).toBe(2);
    for (const { unreadable } of ends) expect(unreadable).toMatchObject([{ table: 'tool_connection' }]);
    const status = await rotationOf(story).status();
    expect(status).toMatchObject({ activeId: 'k2', ring: ['k2', 'k1'], missing: [] });
    expect(status.uses.filter(({ table }) => table === 'tool_connection')).toMatchObject([
      { keyId: 'k1', rows: 1 },
      { keyId: 'k2', rows: 2 },
    ]);
    expect([await tokenOf(story, ann), await tokenOf(story, bob), await tokenOf(story, cem)]).toEqual([
      'token of ann',
      'token of bob',
      undefined,
    ]);
    const key = await story.key(cem, {});
    expect((await key.get(path)).body).toMatchObject({ configured: true, status: 'unreadable' });
  });

  it('a save wins over a rotation that read the row before it', async () => {
    const story = await startWith(`${k1},${k2}`);
    const [ann] = owners;
    const [table] = story.helix.app.nest.get(SealedTables).sealed();
    if (table === undefined) throw new Error('No table of sealed secrets is known.');
    const rows = await table.notSealedBy('k1', '', 10);
    expect(rows).toHaveLength(2);
    const key = await story.key(ann, {});
    await key.send('PUT', path, { apiKey: 'a later token', organizationId: '' });
    const replaced = await Promise.all(rows.map((row) => table.replaceSealed(row, row.sealed)));
    expect(new Set(replaced)).toEqual(new Set([false, true]));
    expect(await tokenOf(story, ann)).toBe('a later token');
    expect(await rotationOf(story).rotate()).toMatchObject({ rewrapped: 1, unreadable: [] });
  });

  it('whose key is not in the ring make readiness degraded, which names the key; the rest works', async () => {
    const story = await startWith(`${k2},${k3}`);
    const { status, checks } = await readiness(story);
    expect(status).toBe('degraded');
    expect(checks.secrets.note).toContain('k1');
    expect(checks.secrets.note).not.toContain('k2');
    expect(await tokenOf(story, owners[0])).toBeUndefined();
    const key = await story.key(owners[0], {});
    expect((await key.get(path)).body).toMatchObject({ status: 'unreadable' });
    const mended = await key.send('PUT', path, { apiKey: 'mended', organizationId: '' });
    expect([mended.status, await tokenOf(story, owners[0])]).toEqual([200, 'mended']);
  });
});

describe('API keys', () => {
  const list = '/v1/api/tools';

  it('move to the new key when they are used, and need the old one until then', async () => {
    const own = await makeTestDatabase();
    open.push({ close: () => own.drop() });
    const start = async (keyring: string) => {
      const story = await startRest({ database: own, env: { HELIX_KEYRING: keyring } });
      open.unshift(story);
      return story;
    };
    const first = await start(k1);
    const used = await first.owner();
    const unused = await first.key(used, {});
    expect(await keysUnder(first)).toEqual({ k1: 2 });

    const both = await start(`${k2},${k1}`);
    const here = (key: Client) => new Client(both.helix.url, key.apiKey, '', '');
    expect((await here(used).get(list)).status).toBe(200);
    await eventually(() => keysUnder(both)).toEqual({ k1: 1, k2: 1 });
    // Made before the column was there.
    const db = both.helix.app.nest.get(DataSource);
    await db.query(`UPDATE api_key SET ring_key_id = NULL WHERE ring_key_id = 'k2'`);
    expect(await keysUnder(both)).toEqual({ k1: 1, '': 1 });
    expect((await here(used).get(list)).status).toBe(200);
    await eventually(() => keysUnder(both)).toEqual({ k1: 1, k2: 1 });

    const late = await start(k2);
    const there = (key: Client) => new Client(late.helix.url, key.apiKey, '', '');
    expect((await there(used).get(list)).status).toBe(200);
    expect((await there(unused).get(list)).status).toBe(401);
    expect((await readiness(late)).checks.secrets.note).toContain('k1');
  });
});

describe('helix secrets', () => {
  it('status names the missing key, exit 2', async () => {
    const { code, out, err } = await helix(['secrets', 'status'], k2);
    expect(code).toBe(2);
    expect(out).toMatch(/^k1 +missing +tool_connection +\d+$/m);
    expect(out).toMatch(/^k2 +active +tool_connection +\d+$/m);
    expect(err).toContain('k1');
  });

  it('rotate goes on where it was stopped, and says what it could not read, exit 2', async () => {
    const { code, out } = await helix(['secrets', 'rotate'], `${k3},${k2},${k1}`);
    expect(code).toBe(2);
    expect(out).toMatch(/^2 secrets are now under k3\./);
    expect(out).toContain('unreadable: tool_connection con_');
    const again = await helix(['secrets', 'rotate', '--json'], `${k3},${k2},${k1}`);
    expect(JSON.parse(again.out)).toMatchObject({ activeId: 'k3', rewrapped: 0, unreadable: [{}] });
  });

  it('a key of the right name and another value refuses to start', async () => {
    const { code, out, err } = await helix(['secrets', 'status'], keyOf('k1'));
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('not the key of that name');
  });
});
