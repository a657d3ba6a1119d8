import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/common/platform/database/data-source-options.js';
import { migrate } from '../../src/common/platform/database/migrate.js';
import { Secret } from '../../src/common/platform/logging/secret.js';
import { bundleFolderOf } from './bundle.js';
import { administer, atDatabase, freshName } from './database-pool.js';
import { openServer } from './database-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database of the server on which test databases are made; may be used to make and drop them. */
    adminUrl: string;
    /** The migrated database every test database is a copy of. */
    template: string;
    /** Prefix of all databases of this run. */
    prefix: string;
    /** Redis for the tests that need one; undefined = they are skipped. */
    redisUrl: string | undefined;
  }
}

/**
 * Once a run: a PostgreSQL (that of TEST_DATABASE_URL, else one of our own in a temporary home), and on it a migrated
 * template. startTestApp copies the template, which takes some hundredths of a second. Everything is dropped at the
 * end, whatever the tests left.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer({ isDurable: false });
  const prefix = freshName('helix_test');
  const template = `${prefix}_template`;
  await administer(server.url, `CREATE DATABASE ${template}`);
  const dataSource = new DataSource(dataSourceOptions(new Secret(atDatabase(server.url, template))));
  await dataSource.initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
  project.provide('adminUrl', server.url);
  project.provide('template', template);
  project.provide('prefix', prefix);
  project.provide('redisUrl', process.env.TEST_REDIS_URL);
  if (process.env.TEST_REDIS_URL === undefined)
    console.log('Tests that need Redis are skipped: TEST_REDIS_URL is not set.');
  return async () => {
    const left = await administer(
      server.url,
      `SELECT datname FROM pg_database WHERE datname LIKE '${prefix}%'`,
    );
    for (const { datname } of left)
      await administer(server.url, `DROP DATABASE "${String(datname)}" WITH (FORCE)`);
    await server.close();
    await rm(bundleFolderOf(prefix), { recursive: true, force: true });
  };
}
