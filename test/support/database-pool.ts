import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The same database server, another database. Keeps the socket folder that the embedded one has in its query. */
export function atDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

/** One statement on a connection of its own. */
export async function administer(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function freshName(prefix: string): string {
  return `${prefix}_${randomBytes(5).toString('hex')}`;
}
