import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/common/platform/database/transactions.js';
import { isUniqueViolation, readQueryFailure } from '../../src/common/platform/database/query-failures.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { ProbeModule } from './probe.module.js';

let helix: TestApp;
let tx: Transactions;
let outside: DataSource;
beforeAll(async () => {
  helix = await startTestApp({ module: ProbeModule });
  tx = helix.app.nest.get(Transactions);
  outside = helix.app.nest.get(DataSource);
  await outside.query('CREATE TABLE account (id int CONSTRAINT account_pk PRIMARY KEY, amount int NOT NULL)');
});
beforeEach(() => outside.query('TRUNCATE account'));
afterAll(() => helix.close());

const rows = () =>
  outside.query<{ id: number; amount: number }[]>('SELECT id, amount FROM account ORDER BY id');
const add = (id: number) => tx.manager.query('UPDATE account SET amount = amount + 1 WHERE id = $1', [id]);
const insert = (id: number) => tx.manager.query('INSERT INTO account VALUES ($1, 0)', [id]);

test('nested runs join, and what follows the commit follows the outermost', async () => {
  const seen: unknown[] = [];
  await tx.run(async () => {
    await insert(1);
    await tx.run(async () => {
      await insert(2);
      tx.afterCommit(async () => seen.push(await rows()));
    });
    seen.push(await rows());
  });
  expect(seen).toEqual([
    [],
    [
      { id: 1, amount: 0 },
      { id: 2, amount: 0 },
    ],
  ]);
});

test('what throws rolls everything back, and nothing follows', async () => {
  const followed: string[] = [];
  const work = tx.run(async () => {
    await insert(1);
    tx.afterCommit(() => followed.push('no'));
    throw new Error('changed my mind');
  });
  await expect(work).rejects.toThrow('changed my mind');
  expect([await rows(), followed]).toEqual([[], []]);
});

test('two transactions at once do not see each other', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map((id) =>
      tx.run(async () => {
        await insert(id);
        return tx.manager.query<{ n: number }[]>(
          'SELECT count(*)::int AS n, pg_backend_pid() AS pid FROM account',
        );
      }),
    ),
  );
  expect(one).not.toEqual(other);
  expect(await rows()).toHaveLength(2);
});

test('a follower that fails is logged, and may open a transaction of its own', async () => {
  await tx.run(async () => {
    await insert(1);
    tx.afterCommit(() => {
      throw new Error('follower fell');
    });
    tx.afterCommit(() => tx.run(() => insert(2)));
  });
  expect(await rows()).toHaveLength(2);
  expect(helix.logged()).toContain('follower fell');
});

test('a deadlock runs again, and both get through', async () => {
  await outside.query('INSERT INTO account VALUES (1, 0), (2, 0)');
  let firsts = 0;
  let bothHold: () => void;
  const gate = new Promise<void>((resolve) => (bothHold = resolve));
  const work = (first: number, second: number) =>
    tx.run(async () => {
      await add(first);
      if (++firsts === 2) bothHold();
      await gate;
      await add(second);
    });
  await Promise.all([work(1, 2), work(2, 1)]);
  expect(await rows()).toEqual([
    { id: 1, amount: 2 },
    { id: 2, amount: 2 },
  ]);
  expect(firsts).toBe(3);
});

test('work that goes on after its transaction is told so instead of writing outside it', async () => {
  let late: Promise<unknown> = Promise.resolve();
  await tx.run(async () => {
    late = new Promise((resolve) => setImmediate(resolve)).then(() => insert(9));
    late.catch(() => {});
  });
  await expect(late).rejects.toMatchObject({ code: 'ENGINE.INTERNAL' });
  expect(await rows()).toEqual([]);
});

test('failures are read by SQLSTATE and constraint', async () => {
  await insert(1);
  const twice = await insert(1).catch((error: unknown) => error);
  expect([
    isUniqueViolation(twice),
    isUniqueViolation(twice, 'account_pk'),
    isUniqueViolation(twice, 'x'),
  ]).toEqual([true, true, false]);
  expect(readQueryFailure(twice)).toBeUndefined();
  const slow = await tx
    .run(async () => {
      await tx.manager.query("SET LOCAL statement_timeout = '5ms'");
      await tx.manager.query('SELECT pg_sleep(1)');
    })
    .catch((error: unknown) => error);
  expect(readQueryFailure(slow)).toMatchObject({ code: 'PLATFORM.DATABASE_UNAVAILABLE' });
});
