import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../src/common/platform/database/embedded/embedded-database.js';

export interface TestServer {
  /** A database of the server on which others may be made and dropped. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The PostgreSQL of TEST_DATABASE_URL, else one of our own in a temporary home.
 * @param isDurable whether our own waits for the disk: a benchmark must, a test need not
 */
export async function openServer({ isDurable }: { readonly isDurable: boolean }): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') return { url: given, close: () => Promise.resolve() };
  const home = await mkdtemp(join(tmpdir(), 'helix-test-'));
  const database = await openEmbeddedDatabase({ home, log: { write: () => {} }, isDurable });
  const { host, port, user, password, database: name } = database.address;
  const place = host.startsWith('/')
    ? `localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`
    : `${host}:${port}/${name}`;
  return {
    url: `postgres://${user}:${password}@${place}`,
    async close() {
      await database.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
