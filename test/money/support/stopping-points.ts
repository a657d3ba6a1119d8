import { Client } from 'pg';
import { eventually } from '../../rest/support/client.js';

/**
 * The statements of a call's life, in their order: `begin` writes the call and its hold, `start` marks that its tool is
 * about to be reached, `finish` writes its end and settles.
 */
export type Statement = 'begin' | 'start' | 'finish';

const triggers: Readonly<Record<Statement, { readonly lock: number; readonly when: string }>> = {
  begin: { lock: 70_401, when: 'INSERT ON tool_call FOR EACH ROW' },
  start: {
    lock: 70_402,
    when: `UPDATE ON tool_call FOR EACH ROW WHEN (OLD.status = 'queued' AND NEW.status = 'running')`,
  },
  finish: {
    lock: 70_403,
    when: `UPDATE ON tool_call FOR EACH ROW WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL)`,
  },
};

/**
 * Stops a Helix inside of a chosen statement, from the database alone: a trigger waits for an advisory lock that the story
 * holds. The program knows nothing of it.
 */
export class StoppingPoints {
  private constructor(private readonly client: Client) {}

  static async of(url: string): Promise<StoppingPoints> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`
      CREATE FUNCTION wait_for_story() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::bigint);
        RETURN NEW;
      END $$`);
    for (const [name, { lock, when }] of Object.entries(triggers))
      await client.query(
        `CREATE TRIGGER story_stops_${name} BEFORE ${when} EXECUTE FUNCTION wait_for_story(${lock})`,
      );
    return new StoppingPoints(client);
  }

  readonly sql = async <Row = Record<string, unknown>>(text: string, parameters: unknown[] = []) =>
    (await this.client.query(text, parameters)).rows as Row[];

  /** From now on nobody gets past the statement. */
  async hold(statement: Statement): Promise<void> {
    await this.sql('SELECT pg_advisory_lock($1)', [triggers[statement].lock]);
  }

  /** Waits until somebody stands in a held statement. */
  async reached(): Promise<void> {
    await eventually(() => this.#waiting()).toHaveLength(1);
  }

  /**
   * What becomes of the statement in which a process was killed: `committed`, as if it had been sent just before the
   * kill, or `lost`, as if it never arrived. Waits until nothing of the process is left in the database.
   */
  async letGo(statement: Statement, fate: 'committed' | 'lost'): Promise<void> {
    if (fate === 'lost')
      for (const { pid } of await this.#waiting()) await this.sql('SELECT pg_terminate_backend($1)', [pid]);
    if (fate === 'lost') await eventually(() => this.#waiting()).toEqual([]);
    await this.sql('SELECT pg_advisory_unlock($1)', [triggers[statement].lock]);
    await this.emptied();
  }

  /** Waits until the story is alone in the database. */
  async emptied(): Promise<void> {
    const others = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
    await eventually(() => this.sql(others)).toEqual([]);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  #waiting(): Promise<{ pid: number }[]> {
    return this.sql<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = ANY ($1::bigint[])
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [Object.values(triggers).map(({ lock }) => lock)],
    );
  }
}
