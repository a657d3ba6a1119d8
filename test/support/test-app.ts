import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { Type } from '@nestjs/common';
import { inject } from 'vitest';
import { readEnvironment } from '../../src/common/platform/config/env.js';
import type { Environment } from '../../src/common/platform/config/process-environment.js';
import { HelixApp } from '../../src/common/platform/http/create-app.js';
import { AppModule } from '../../src/app.module.js';
import { administer, atDatabase, freshName } from './database-pool.js';
import { closed, opened } from './leak-guard.js';
import { secretWatch } from './secret-guard.js';

export interface TestAppOptions {
  /** Variables over the test's own: `{ HELIX_CALL_WAIT_MS: '50', HELIX_WORKFLOWS: folder }`. */
  readonly env?: Environment;
  /** Root module; default the product's AppModule. */
  readonly module?: Type<object>;
  /** A database another app of the test runs on, for stories with several nodes. */
  readonly database?: TestDatabase;
}

/** A copy of the migrated template, empty but for what migrations put in. */
export interface TestDatabase {
  readonly url: string;
  readonly keyring: string;
  drop(): Promise<void>;
}

/** A whole Helix on its own database, home, keys and port. */
export interface TestApp {
  readonly app: HelixApp;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly database: TestDatabase;
  /** HELIX_HOME */
  readonly home: string;
  /** What it logged so far, one JSON object a line. */
  readonly logged: () => string;
  /** Closes the app; drops the database and the home if they were its own. */
  close(): Promise<void>;
}

export async function makeTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const name = freshName(inject('prefix'));
  await administer(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${inject('template')}`);
  return {
    url: atDatabase(adminUrl, name),
    keyring: `test:${randomBytes(32).toString('base64')}`,
    drop: async () => void (await administer(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/**
 * Starts a real app that listens on a free port of 127.0.0.1. Close it in `afterAll`/`afterEach`: the leak guard fails
 * the file that forgets.
 *
 * ```ts
 * const helix = await startTestApp();
 * const answer = await fetch(`${helix.url}/v1/api/tools`);
 * await helix.close();
 * ```
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await makeTestDatabase());
  const home = await mkdtemp(join(tmpdir(), 'helix-app-'));
  const lines: string[] = [];
  const logTo = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      secretWatch.logged(chunk.toString());
      done();
    },
  });
  const environment = {
    PORT: '0',
    HELIX_HOME: home,
    DATABASE_URL: database.url,
    HELIX_KEYRING: database.keyring,
    // No story reaches out by chance: one that needs Treg brings its own.
    HELIX_TREG_URL: 'http://127.0.0.1:1',
    LOG_LEVEL: 'trace',
    LOG_FORMAT: 'json',
    ...options.env,
  };
  secretWatch.keepVariables(environment);
  const config = readEnvironment(environment);
  const cleanUp = async () => {
    if (options.database === undefined) await database.drop();
    await rm(home, { recursive: true, force: true });
  };
  let app: HelixApp;
  let url: string;
  try {
    app = await HelixApp.create(options.module ?? AppModule, config, { logTo, drainMs: 2_000 });
    url = await app.listen();
  } catch (error) {
    await cleanUp();
    throw error;
  }
  opened(url);
  return {
    app,
    url,
    database,
    home,
    logged: () => lines.join(''),
    async close() {
      await app.close();
      await cleanUp();
      closed(url);
    },
  };
}
