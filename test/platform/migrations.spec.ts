/// <reference types="vite/types/importMeta.d.ts" />
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/common/platform/database/data-source-options.js';
import { migrate } from '../../src/common/platform/database/migrate.js';
import { migrations } from '../../src/common/platform/database/migrations/index.js';
import { schemaDrift } from '../../src/common/platform/database/schema-drift.js';
import { Secret } from '../../src/common/platform/logging/secret.js';
import { makeTestDatabase, type TestDatabase } from '../support/test-app.js';

type Classes = Record<string, new () => object>;

const entityFiles = import.meta.glob<Classes>('../../src/**/*.entity.ts', { eager: true });
const migrationFiles = import.meta.glob<Classes>('../../src/common/platform/database/migrations/[0-9]*.ts', {
  eager: true,
});
const entities = Object.values(entityFiles).flatMap((file) => Object.values(file));

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await makeTestDatabase();
  dataSource = new DataSource({ ...dataSourceOptions(new Secret(database.url)), entities });
  await dataSource.initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

test('what the migrations make is what the entities say', async () => {
  expect(await schemaDrift(dataSource)).toEqual([]);
});

test('a difference would be noticed', async () => {
  const before = await schemaDrift(dataSource);
  await dataSource.query('ALTER TABLE keyring_canary DROP COLUMN created_at');
  try {
    const noticed = (await schemaDrift(dataSource)).filter((statement) => !before.includes(statement));
    expect(noticed).toEqual([expect.stringMatching(/"keyring_canary".*"created_at"/)]);
  } finally {
    await dataSource.query('ALTER TABLE keyring_canary ADD created_at timestamptz NOT NULL DEFAULT now()');
  }
});

test('every migration file is listed, in the order of its time stamp', () => {
  const inFiles = Object.values(migrationFiles).flatMap((file) => Object.values(file));
  expect([...migrations].map(({ name }) => name).sort()).toEqual(inFiles.map(({ name }) => name).sort());
  const stamps = migrations.map(({ name }) => name.slice(-13));
  expect(stamps).toEqual([...stamps].sort());
});

test('every migration can be taken back and run again', async () => {
  for (const _ of migrations) await dataSource.undoLastMigration({ transaction: 'each' });
  expect(await migrate(dataSource)).toEqual(migrations.map(({ name }) => name));
  expect(await schemaDrift(dataSource)).toEqual([]);
});

test('nodes that start together run each migration once', async () => {
  for (const _ of migrations) await dataSource.undoLastMigration({ transaction: 'each' });
  const others = await Promise.all(
    [1, 2, 3].map(() => new DataSource(dataSourceOptions(new Secret(database.url))).initialize()),
  );
  try {
    const ran = await Promise.all([dataSource, ...others].map((one) => migrate(one)));
    expect(ran.flat()).toEqual(migrations.map(({ name }) => name));
  } finally {
    await Promise.all(others.map((one) => one.destroy()));
  }
});
