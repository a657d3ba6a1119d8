/*
 * A process that holds an embedded database until it is told to stop or killed: what Helix is to its database, and
 * nothing else of it. Prints one line of JSON when it is ready or refused.
 */
import { openEmbeddedDatabase } from '../../src/common/platform/database/embedded/embedded-database.js';

const home = process.argv[2];
if (home === undefined) throw new Error('Name a home.');
const began = performance.now();
try {
  const database = await openEmbeddedDatabase({ home, log: { write: () => {} } });
  const took = Math.round(performance.now() - began);
  // Before the line that says it is ready, or a signal sent at once would not meet it.
  process.once('SIGTERM', () => void database.close().then(() => process.exit(0)));
  console.log(JSON.stringify({ origin: database.origin, took, address: database.address }));
  setInterval(() => {}, 60_000);
} catch (error) {
  console.log(JSON.stringify({ refused: (error as Error).message }));
  process.exitCode = 2;
}
