import type { DataSource } from 'typeorm';

/** "HELX", and the second of our advisory locks (the first is in embedded/owner-lock.ts). */
const lockSpace = 0x48_45_4c_58;
const migrationLock = 2;

/**
 * Runs what is pending, one transaction each. Nodes that start together take turns behind an advisory lock, so the
 * second finds nothing left to do.
 * @returns names of the migrations that ran
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const turn = dataSource.createQueryRunner();
  try {
    await turn.query('SELECT pg_advisory_lock($1, $2)', [lockSpace, migrationLock]);
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map(({ name }) => name);
  } finally {
    await turn.query('SELECT pg_advisory_unlock($1, $2)', [lockSpace, migrationLock]).catch(() => undefined);
    await turn.release();
  }
}
