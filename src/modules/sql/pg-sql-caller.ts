import { Client, Pool, type PoolClient, type QueryResult } from 'pg';
import { abortReason, untilAborted, whenAborted } from '../../common/engine/api/abort.js';
import type { Log } from '../../common/engine/api/ports.js';
import { describeError } from '../../common/platform/logging/describe-error.js';
import type { SqlAnswer, SqlCaller, SqlConnection, SqlValue } from '../../components/sql/index.js';
import { resultTypes } from './result-types.js';
import { sqlFailure } from './sql-failure.js';

type Row = Record<string, unknown>;

/** `sql://` on node-postgres: one pool for each database of the workspace. */
export class PgSqlCaller implements SqlCaller {
  readonly #pools = new Map<string, Pool>();

  constructor(private readonly log: Log) {}

  async run(
    connection: SqlConnection,
    text: string,
    values: readonly SqlValue[],
    signal: AbortSignal,
  ): Promise<SqlAnswer> {
    if (signal.aborted) throw abortReason(signal);
    try {
      const client = await this.#client(connection, signal);
      const { rows, rowCount } = await untilAborted(
        this.#query(client, connection, text, values, signal),
        signal,
      );
      return { rows, count: rowCount ?? rows.length };
    } catch (thrown) {
      throw signal.aborted ? abortReason(signal) : sqlFailure(thrown, connection.name);
    }
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.end()));
  }

  /** Who leaves while waiting for a connection gives it to the next when it comes. */
  async #client(connection: SqlConnection, signal: AbortSignal): Promise<PoolClient> {
    const pending = this.#pool(connection).connect();
    try {
      return await untilAborted(pending, signal);
    } catch (thrown) {
      if (signal.aborted) void release(pending);
      throw thrown;
    }
  }

  /** Goes on after an abort until the database has let go; the connection is not used again then. */
  async #query(
    client: PoolClient,
    connection: SqlConnection,
    text: string,
    values: readonly SqlValue[],
    signal: AbortSignal,
  ): Promise<QueryResult<Row>> {
    const forget = whenAborted(signal, () => void cancel(connection, client));
    let isBroken = true;
    try {
      // Extended, so that there is one statement even where no value is bound.
      const query = { text, values: [...values], types: resultTypes, queryMode: 'extended' };
      const result = await client.query<Row>(query);
      isBroken = false;
      return result;
    } catch (thrown) {
      isBroken = !(thrown instanceof Error && 'severity' in thrown && thrown.severity === 'ERROR');
      throw thrown;
    } finally {
      forget();
      client.release(isBroken || signal.aborted);
    }
  }

  #pool(connection: SqlConnection): Pool {
    const { name, url, poolSize } = connection;
    const key = JSON.stringify([name, url, poolSize]);
    let pool = this.#pools.get(key);
    if (pool) return pool;
    pool = new Pool({ ...reach(url), max: poolSize, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
    pool.on('error', (error) =>
      this.log.write('warn', 'an idle connection of sql:// was lost', {
        connection: name,
        error: describeError(error),
      }),
    );
    this.#pools.set(key, pool);
    return pool;
  }
}

const reach = (url: string) => ({
  connectionString: url,
  application_name: 'helix',
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
});

async function release(pending: Promise<PoolClient>): Promise<void> {
  try {
    (await pending).release();
  } catch {
    // No connection came: nothing is to be given back.
  }
}

/** Asks the database, over a connection of its own, to stop what the client runs. */
async function cancel({ url }: SqlConnection, client: PoolClient): Promise<void> {
  const { processID } = client as PoolClient & { readonly processID?: number | null };
  if (processID === undefined || processID === null) return;
  const messenger = new Client(reach(url));
  messenger.on('error', () => undefined);
  try {
    await messenger.connect();
    await messenger.query('SELECT pg_cancel_backend($1)', [processID]);
  } catch {
    // The statement runs on to its end; its connection is closed then all the same.
  } finally {
    await messenger.end().catch(() => undefined);
  }
}
