import { Client } from 'pg';
import { ConfigurationError } from '../common/platform/config/configuration-error.js';
import type { HelixConfig } from '../common/platform/config/helix-config.js';
import { DatabaseServer } from '../common/platform/database/database-server.js';
import { HelixLog } from '../common/platform/logging/helix-log.js';
import { ok, wrong, type Verdict } from './doctor-checks.js';

/** Connects to `DATABASE_URL`, or opens the embedded database for a moment (beside a running Helix: looks in). */
export async function checkDatabase(config: HelixConfig): Promise<Verdict> {
  if (config.databaseUrl) return ask(config.databaseUrl.reveal(), 'DATABASE_URL');
  const log = new HelixLog({ level: 'silent', to: 'stderr' });
  try {
    const server = await DatabaseServer.open(config, log, 'visit');
    try {
      return await ask(server.url.reveal(), 'embedded');
    } finally {
      await server.close();
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return wrong('the embedded database does not start', error.message);
  } finally {
    log.close();
  }
}

async function ask(url: string, name: string): Promise<Verdict> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; number: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number`,
    );
    const { version = '?', number = '0' } = rows[0] ?? {};
    if (Number(number) < 140_000)
      return wrong(`${name}: PostgreSQL ${version} is too old`, 'Use PostgreSQL 14 or later.');
    return ok(`${name}: PostgreSQL ${version} answers`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'no answer';
    return wrong(
      `${name}: the database cannot be used (${code})`,
      'Start PostgreSQL, or correct host, port, user, password and database name.',
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
