import { Client } from 'pg';
import type { DatabaseAddress } from '../database-address.js';

/** Two words that make one advisory lock of ours: "HELX" and what it guards. */
const lockSpace = 0x48_45_4c_58;
const ownerLock = 1;

/**
 * A session that owns the embedded database. The server itself lets go of the lock when the session ends, however its
 * process died: this is the truth about who owns a home, the lock file only says it sooner and with a number.
 */
export interface OwnerLock {
  /** Called once if the session ends by itself, that is, when the server went away. */
  onLost(callback: () => void): void;
  release(): Promise<void>;
}

/** @returns undefined where another session owns the database */
export async function takeOwnerLock(
  address: DatabaseAddress,
  patienceMs: number,
): Promise<OwnerLock | undefined> {
  const client = new Client({ ...address, application_name: 'helix owner' });
  let lost: (() => void) | undefined;
  let isReleased = false;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    if (!isReleased) lost?.();
    lost = undefined;
  };
  client.on('error', end);
  client.on('end', end);
  await client.connect();
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
      lockSpace,
      ownerLock,
    ]);
    if (rows[0]?.taken) break;
    if (performance.now() > deadline) {
      isReleased = true;
      await client.end();
      return undefined;
    }
    // The session of a Helix that was just killed ends within milliseconds.
    await client.query('SELECT pg_sleep(0.05)');
  }
  return {
    onLost(callback) {
      if (hasEnded) callback();
      else lost = callback;
    },
    async release() {
      isReleased = true;
      if (!hasEnded) await client.end();
    },
  };
}
