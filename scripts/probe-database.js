/** Exits 0 when the PostgreSQL server at the URL lets us in and lets us create databases; for .ci/run. */
import { Client } from 'pg';

const client = new Client({ connectionString: process.argv[2], connectionTimeoutMillis: 3000 });
await client.connect();
const { rows } = await client.query(
  'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
);
await client.end();
process.exit(rows[0]?.may ? 0 : 1);
