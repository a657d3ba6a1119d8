/**
 * What a durable call costs in the database, with and without money on one hot wallet, beside the naive floor: one
 * INSERT and one UPDATE, each committed alone. Run: `npm run bench:rest -- durable` (TEST_DATABASE_URL, else an embedded
 * PostgreSQL). The contenders take turns, so that other programs of the machine meet all of them; read the ratios, which
 * are medians over the rounds. A wrong outcome or a wrong book ends the benchmark.
 */
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/common/platform/database/data-source-options.js';
import { migrate } from '../../../src/common/platform/database/migrate.js';
import { Secret } from '../../../src/common/platform/logging/secret.js';
import { administer, atDatabase, freshName } from '../../../test/support/database-pool.js';
import { openServer } from '../../../test/support/database-server.js';
import { table } from '../../starlang/measure.js';
import { chargedMicros, type Contender, journaled, naive, reservedMicros } from './contenders.js';

const callerCounts = [1, 10, 50];
const rounds = 7;
const sliceMs = 1_200;
const organizationId = 'org_hot';

const contenders = (database: DataSource): Record<string, Contender> => ({
  'naive floor': naive(database),
  'durable, free': journaled(database, false),
  'durable, with money': journaled(database, true),
});

/** Calls a second of so many callers, each of whom waits for its call before the next. */
async function slice(contender: Contender, callers: number, ms: number): Promise<number> {
  const from = performance.now();
  let calls = 0;
  const caller = async () => {
    while (performance.now() - from < ms) {
      await contender(organizationId);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (calls * 1000) / (performance.now() - from);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function measure(database: DataSource): Promise<string[][]> {
  const all = Object.entries(contenders(database));
  const rows = all.map(([name]) => [name]);
  for (const callers of callerCounts) {
    const rates = all.map((): number[] => []);
    for (const [, contender] of all) await slice(contender, callers, 300);
    for (let round = 0; round < rounds; round += 1)
      for (const [nth] of all.entries()) {
        const at = (nth + round) % all.length;
        const [, contender] = all[at] as [string, Contender];
        rates[at]?.push(await slice(contender, callers, sliceMs));
      }
    const floor = rates[0] ?? [];
    for (const [at, own] of rates.entries()) {
      const ratio = median(own.map((rate, round) => rate / (floor[round] ?? Number.NaN)));
      rows[at]?.push(`${Math.round(median(own))}/s`, `${ratio.toFixed(2)} x`);
    }
  }
  return rows;
}

/** What was charged is what the calls say; a wallet that held less than a reservation would have refused. */
async function checkBooks(database: DataSource): Promise<number> {
  const [books] = await database.query<Record<string, string>[]>(
    `SELECT (SELECT count(*) FROM tool_call WHERE funding_source = 'hlix') AS calls,
       (SELECT count(*) FROM tool_call WHERE status <> 'succeeded') AS open,
       (SELECT -sum(amount_micros) FROM ledger_entry WHERE kind = 'settle') AS charged,
       (SELECT sum(amount_micros) FROM ledger_entry) - balance_micros AS difference, held_micros AS held FROM wallet`,
  );
  const { calls, open, charged, difference, held } = books ?? {};
  if (open !== '0' || difference !== '0' || held !== '0' || Number(charged) !== Number(calls) * chargedMicros)
    throw new Error(`The books are wrong: ${JSON.stringify(books)}`);
  return Number(calls);
}

/** The control, which must be refused: a wallet that has less than one call reserves. */
async function checkGate(database: DataSource): Promise<void> {
  await database.query(`INSERT INTO wallet (organization_id, balance_micros) VALUES ('org_poor', $1)`, [
    reservedMicros - 1,
  ]);
  const refusal: unknown = await journaled(database, true)('org_poor').catch((error: unknown) => error);
  if (!String(refusal).includes('refused')) throw new Error('An empty wallet paid for a call.');
}

async function bench(serverUrl: string): Promise<void> {
  const name = freshName('helix_bench');
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  const database = new DataSource(dataSourceOptions(new Secret(atDatabase(serverUrl, name))));
  try {
    await database.initialize();
    await migrate(database);
    await database.query(
      `WITH purse AS (
         INSERT INTO wallet (organization_id, balance_micros, entry_count) VALUES ($1, $2, 1) RETURNING balance_micros)
       INSERT INTO ledger_entry (organization_id, number, kind, amount_micros, balance_micros)
       SELECT $1, 1, 'top_up', $2, balance_micros FROM purse`,
      [organizationId, 1e12],
    );
    const rows = await measure(database);
    const paidCalls = await checkBooks(database);
    await checkGate(database);
    const head = ['', ...callerCounts.flatMap((callers) => [`${callers} callers`, 'ratio'])];
    console.log(`${table(head, rows)}\n\n${paidCalls} paid calls on one wallet; the books are exact.`);
  } finally {
    if (database.isInitialized) await database.destroy();
    await administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

export async function durable(): Promise<void> {
  const server = await openServer({ isDurable: true });
  try {
    await bench(server.url);
  } finally {
    await server.close();
  }
}
