import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { MemoryLog } from '../../src/common/engine/testing/memory-log.js';
import type { SqlConnection, SqlValue } from '../../src/components/sql/index.js';
import { PgSqlCaller } from '../../src/modules/sql/pg-sql-caller.js';
import { administer, atDatabase, freshName } from '../support/database-pool.js';
import { closed, opened } from '../support/leak-guard.js';

const name = freshName(inject('prefix'));
const connection: SqlConnection = { name: 'db', url: atDatabase(inject('adminUrl'), name), poolSize: 2 };
const caller = new PgSqlCaller(new MemoryLog());

beforeAll(async () => {
  await administer(inject('adminUrl'), `CREATE DATABASE ${name}`);
  await administer(connection.url, 'CREATE TABLE item (id bigint primary key, tags text[], data jsonb)');
  opened('pools of sql://');
});

afterAll(async () => {
  await caller.close();
  closed('pools of sql://');
  await administer(inject('adminUrl'), `DROP DATABASE ${name} WITH (FORCE)`);
});

const run = (text: string, values: readonly SqlValue[] = [], signal = new AbortController().signal) =>
  caller.run(connection, text, values, signal);

/** How many statements of ours the database runs, beside the one that asks. */
async function running(): Promise<number> {
  const [row] = await administer(
    connection.url,
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = '${name}' AND application_name = 'helix' AND state = 'active'`,
  );
  return Number(row?.['n']);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

describe('sql:// on PostgreSQL', () => {
  it('writes and reads arrays, JSON and what looks like code', async () => {
    const evil = "'; DROP TABLE item; --";
    const written = await run('INSERT INTO item VALUES ($1, $2, $3)', [1, [evil, null], `{"a":"${evil}"}`]);
    expect(written).toEqual({ rows: [], count: 1 });
    const read = await run('SELECT * FROM item WHERE $1 = ANY (tags)', [evil]);
    expect(read).toEqual({ rows: [{ id: 1, tags: [evil, null], data: { a: evil } }], count: 1 });
  });

  it.each([
    ['count(*)', 1],
    ['9007199254740991::bigint', 9007199254740991],
    ['9007199254740993::bigint', '9007199254740993'],
    ['12.50::numeric', 12.5],
    ['-0.000001::numeric', -0.000001],
    ['1234567890.1234567::numeric', '1234567890.1234567'],
    ["'NaN'::numeric", 'NaN'],
    ["date '2025-01-31'", '2025-01-31'],
    ["timestamp '2025-01-31 10:00:00.123456'", '2025-01-31T10:00:00.123456'],
    ["timestamptz '2025-01-31 10:00:00.123456+00' AT TIME ZONE 'UTC'", '2025-01-31T10:00:00.123456'],
    ["timestamptz 'infinity'", 'infinity'],
    ["interval '1 day'", '1 day'],
    ['ARRAY[1, 9007199254740993]::bigint[]', [1, '9007199254740993']],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
    ['true', true],
    ['NULL', null],
  ])('%s is %j', async (expression, expected) => {
    const { rows } = await run(`SELECT ${expression} AS v`);
    expect(rows).toEqual([{ v: expected }]);
  });

  it('gives instants with their zone', async () => {
    const { rows } = await run("SELECT timestamptz '2025-01-31 10:00:00.123456+00' AS v");
    const [row] = rows;
    expect(row?.['v']).toMatch(/^2025-01-31T\d\d:00:00\.123456(Z|[+-]\d\d:\d\d)$/);
    expect(new Date(String(row?.['v'])).toISOString()).toBe('2025-01-31T10:00:00.123Z');
  });

  it('says what the database refused, and uses the connection again', async () => {
    for (let turn = 0; turn < 3; turn++) {
      await expect(run('INSERT INTO item VALUES (1)')).rejects.toMatchObject({
        code: 'SQL.STATEMENT_FAILED',
        details: { connection: 'db', sqlState: '23505', constraint: 'item_pkey' },
      });
    }
    await expect(run('SELECT 1; SELECT 2')).rejects.toMatchObject({ code: 'SQL.STATEMENT_FAILED' });
    expect((await run('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('cancels in the database what nobody waits for any more', async () => {
    const controller = new AbortController();
    const waiting = run('SELECT pg_sleep(600)', [], controller.signal);
    await until(async () => (await running()) === 1);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ENGINE.CANCELLED' });
    await until(async () => (await running()) === 0);
    expect((await run('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('who leaves while all connections are in use takes none away', async () => {
    const blocker = new AbortController();
    const busy = [1, 2].map(() => run('SELECT pg_sleep(600)', [], blocker.signal));
    await until(async () => (await running()) === 2);
    const impatient = new AbortController();
    const third = run('SELECT 3 AS n', [], impatient.signal);
    const fourth = run('SELECT 4 AS n');
    impatient.abort();
    await expect(third).rejects.toMatchObject({ code: 'ENGINE.CANCELLED' });
    blocker.abort();
    await Promise.allSettled(busy);
    expect((await fourth).rows).toEqual([{ n: 4 }]);
  });

  it('tells a database that is not there, without its address', async () => {
    const away = { ...connection, url: 'postgres://u:hunter2@127.0.0.1:1/x' };
    const failure: unknown = await caller
      .run(away, 'SELECT 1', [], new AbortController().signal)
      .catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'SQL.DATABASE_UNREACHABLE' });
    expect(JSON.stringify([failure, String(failure)])).not.toContain('hunter2');
  });
});
