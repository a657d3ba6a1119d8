import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/common/platform/database/data-source-options.js';
import { queryPrepared } from '../../src/common/platform/database/prepared-query.js';
import { readQueryFailure, sqlStateOf } from '../../src/common/platform/database/query-failures.js';
import { Secret } from '../../src/common/platform/logging/secret.js';
import { makeTestDatabase, type TestDatabase } from '../support/test-app.js';

let home: TestDatabase;
let database: DataSource;
beforeEach(async () => {
  home = await makeTestDatabase();
  database = new DataSource({ ...dataSourceOptions(new Secret(home.url)), poolSize: 1 });
  await database.initialize();
});
afterEach(async () => {
  await database.destroy();
  await home.drop();
});

/** The statements that the one connection holds by name. */
const held = () =>
  database.query<{ name: string; statement: string }[]>(
    'SELECT name, statement FROM pg_prepared_statements ORDER BY name',
  );

describe('a prepared statement', () => {
  it('is held once by its connection, however often it ran, and is renewed as its uses double', async () => {
    const text = 'SELECT $1::int + 1 AS next -- renewed';
    const names = new Set<string>();
    for (let nth = 0; nth < 20; nth += 1) {
      expect(await queryPrepared(database, text, [nth])).toEqual([{ next: nth + 1 }]);
      const statements = await held();
      expect(statements.map(({ statement }) => statement)).toEqual([text]);
      names.add(statements[0]?.name ?? '');
    }
    expect(names.size).toBe(5);
  });

  it('gives the rows of changes as those of questions', async () => {
    await database.query('CREATE TABLE thing (id int)');
    expect(await queryPrepared(database, 'INSERT INTO thing VALUES ($1) RETURNING id', [1])).toEqual([
      { id: 1 },
    ]);
    expect(await queryPrepared(database, 'UPDATE thing SET id = $1 RETURNING id', [2])).toEqual([{ id: 2 }]);
  });

  it('that fails says why as any statement does, and runs again', async () => {
    const text = 'SELECT 6 / $1::int AS share';
    const failure: unknown = await queryPrepared(database, text, [0]).catch((error: unknown) => error);
    expect(sqlStateOf(failure)).toBe('22012');
    for (const divisor of [1, 2, 3])
      expect(await queryPrepared(database, text, [divisor])).toEqual([{ share: 6 / divisor }]);
  });

  it('is prepared anew where its connection was cut off', async () => {
    const text = 'SELECT $1::text AS said';
    await queryPrepared(database, text, ['before']);
    const cut: unknown = await queryPrepared(
      database,
      'SELECT pg_terminate_backend(pg_backend_pid())',
      [],
    ).catch((error: unknown) => error);
    expect(readQueryFailure(cut)?.code).toBe('PLATFORM.DATABASE_UNAVAILABLE');
    // The pool hears of the cut a moment later.
    await expect
      .poll(() => queryPrepared(database, text, ['after']).catch(() => 'cut off'))
      .toEqual([{ said: 'after' }]);
  });
});
