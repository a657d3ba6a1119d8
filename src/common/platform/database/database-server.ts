import { createHash } from 'node:crypto';
import { Client } from 'pg';
import type { HelixConfig } from '../config/helix-config.js';
import { ConfigurationError } from '../config/configuration-error.js';
import { prepareHome } from '../config/home.js';
import { Secret } from '../logging/secret.js';
import type { HelixLog } from '../logging/helix-log.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from './embedded/embedded-database.js';

const oldestVersion = 140_000;
const connectAttempts = 30;

/** What is connected: TypeORM's DataSource. */
interface Pool {
  readonly isInitialized: boolean;
  destroy(): Promise<void>;
}

/**
 * The PostgreSQL of this Helix, opened before anything asks for it and closed after everything is gone: the one of
 * `DATABASE_URL`, or the embedded one. Everything above sees an address and nothing else.
 */
export class DatabaseServer {
  #pool: Pool | undefined;

  private constructor(
    /** Connection string of `pg` and TypeORM. */
    readonly url: Secret,
    /** Where it comes from, for the banner and `doctor`. */
    readonly origin: EmbeddedDatabase['origin'] | 'external',
    private readonly embedded: EmbeddedDatabase | undefined,
  ) {}

  /**
   * @param role `visit` for commands that look in while a Helix may run on the same home
   * @throws ConfigurationError where the database does not answer, is too old, or the home is taken
   */
  static async open(
    config: HelixConfig,
    log: HelixLog,
    role: 'own' | 'visit' = 'own',
  ): Promise<DatabaseServer> {
    await prepareHome(config.home);
    if (config.databaseUrl !== undefined) {
      log.secrets.add(config.databaseUrl);
      log.secrets.add(passwordOf(config.databaseUrl));
      await untilUsable(config.databaseUrl, log);
      return new DatabaseServer(config.databaseUrl, 'external', undefined);
    }
    const embedded = await openEmbeddedDatabase({ home: config.home, log, role });
    log.secrets.add(embedded.address.password);
    return new DatabaseServer(new Secret(urlOf(embedded)), embedded.origin, embedded);
  }

  get isEmbedded(): boolean {
    return this.embedded !== undefined;
  }

  /** Names this database without telling its password: for keys of caches and locks. */
  get fingerprint(): string {
    return createHash('sha256').update(this.url.reveal()).digest('hex').slice(0, 16);
  }

  /** The pool over this server. Nest closes it with the app; where no app came to be, {@link close} does. */
  holds(pool: Pool): void {
    this.#pool = pool;
  }

  /** Connections first: a server that stops under them makes each tell that it was cut off. */
  async close(): Promise<void> {
    if (this.#pool?.isInitialized) await this.#pool.destroy();
    await this.embedded?.close();
  }
}

/** A socket folder goes into the query, where `pg` looks for it when the host is empty. */
function urlOf({ address: { host, port, user, password, database } }: EmbeddedDatabase): string {
  const place = host.startsWith('/') ? `/${database}?host=${encodeURIComponent(host)}&port=${port}` : '';
  const login = `${user}:${encodeURIComponent(password)}`;
  return place === ''
    ? `postgres://${login}@${host}:${port}/${database}`
    : `postgres://${login}@localhost${place}`;
}

function passwordOf(url: Secret): string {
  return decodeURIComponent(new URL(url.reveal()).password);
}

/** Waits for a database that is just starting beside us, as in a compose file; anything else is told at once. */
async function untilUsable(url: Secret, log: HelixLog): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new Client({ connectionString: url.reveal(), connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
      const version = Number(rows[0]?.server_version_num);
      if (version < oldestVersion)
        throw new ConfigurationError([
          `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}; Helix needs 14 or later.`,
        ]);
      return;
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      const code = (error as { code?: string }).code ?? 'no answer';
      const mayCome = ['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND', 'ECONNRESET', '57P03', 'no answer'].includes(
        code,
      );
      if (!mayCome || attempt >= connectAttempts)
        throw new ConfigurationError([
          `DATABASE_URL: the database cannot be used (${code}). Check host, port, user, password and database name.`,
        ]);
      log.write('warn', 'The database does not answer yet; trying again.', { code, attempt });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
