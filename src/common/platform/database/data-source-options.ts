import type { Client } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { Log } from '../../engine/api/ports.js';
import type { Secret } from '../logging/secret.js';
import { describeError } from '../logging/describe-error.js';
import { migrations } from './migrations/index.js';

/**
 * A connection that the server ends between two statements of whoever holds it says so by an event, which would end the
 * process where nobody listens. The next statement fails, and tells.
 *
 * The server compiles no plans to machine code: our statements take milliseconds, and where its figures mislead the
 * planner, compiling one of them takes seconds, each time anew.
 */
async function settleIn(connection: Client): Promise<void> {
  connection.on('error', () => undefined);
  await connection.query('SET jit = off');
}

/** Table in which TypeORM remembers the migrations that ran. */
export const migrationsTable = 'helix_migration';

/** Connections of one Helix; the embedded server allows 100 in all. */
export const poolSize = 20;

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/**
 * The options every data source of Helix is made with. The schema changes by migrations only, and statements are
 * never logged: their parameters hold what users sent.
 */
export function dataSourceOptions(url: Secret, log?: Log): PostgresOptions {
  return {
    type: 'postgres',
    url: url.reveal(),
    migrations,
    migrationsTableName: migrationsTable,
    synchronize: false,
    migrationsRun: false,
    logging: false,
    installExtensions: false,
    applicationName: 'helix',
    poolSize,
    connectTimeoutMS: 10_000,
    extra: { keepAlive: true, onConnect: settleIn },
    poolErrorHandler: (error: unknown) =>
      log?.write('warn', 'An idle database connection was lost.', { error: describeError(error) }),
  };
}
