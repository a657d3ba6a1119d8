import { createHash } from 'node:crypto';
import { type DataSource, QueryFailedError } from 'typeorm';

/** What is used of the connection beneath TypeORM, which itself sends every statement without a name. */
interface Connection {
  query(statement: string | { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

interface Preparation {
  readonly digest: string;
  uses: number;
}

/** By then the table has been analysed many times, and the server itself throws away plans it has better figures for. */
const lastGeneration = 16;
const preparations = new Map<string, Preparation>();
/** The name under which a connection knows a statement. */
const known = new WeakMap<Connection, Map<string, string>>();

/**
 * Runs one statement by a name, so that a connection parses and plans it once and not each time: of a statement of many
 * parts the planning takes longer than the execution. For few statements of constant text; whatever varies belongs into
 * the values, lists as arrays.
 *
 * A plan made for an empty table reads all of it. Therefore each statement is planned anew whenever its uses have
 * doubled, until the statistics of the server are there to do so.
 *
 * @throws QueryFailedError as a statement of TypeORM does
 */
export async function queryPrepared<Row>(
  database: DataSource,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const runner = database.createQueryRunner();
  try {
    const connection = (await runner.connect()) as Connection;
    const name = nameOf(text);
    await forgetFormer(connection, text, name);
    const { rows } = await connection.query({ name, text, values });
    namesOn(connection).set(text, name);
    return rows as Row[];
  } catch (error) {
    throw error instanceof Error ? new QueryFailedError(text, values, error) : error;
  } finally {
    await runner.release();
  }
}

function nameOf(text: string): string {
  let preparation = preparations.get(text);
  if (preparation === undefined) {
    preparation = { digest: createHash('sha256').update(text).digest('hex').slice(0, 16), uses: 0 };
    preparations.set(text, preparation);
  }
  preparation.uses += 1;
  const generation = Math.min(Math.floor(Math.log2(preparation.uses)), lastGeneration);
  return `helix_${preparation.digest}_${generation}`;
}

async function forgetFormer(connection: Connection, text: string, name: string): Promise<void> {
  const former = namesOn(connection).get(text);
  if (former === undefined || former === name) return;
  namesOn(connection).delete(text);
  await connection.query(`DEALLOCATE ${former}`);
}

function namesOn(connection: Connection): Map<string, string> {
  let names = known.get(connection);
  if (names === undefined) known.set(connection, (names = new Map<string, string>()));
  return names;
}
