/**
 * The REST half beside its floors: `npm run bench:rest [-- durable|search]`. Read the ratios. A wrong outcome ends the run.
 * See bench/README.md.
 */
import { durable } from './durable/index.js';
import { search } from './search.js';

const parts: Readonly<Record<string, () => Promise<void> | void>> = { durable, search };

const [part] = process.argv.slice(2);
for (const run of part === undefined ? Object.values(parts) : [parts[part]]) {
  if (run === undefined) {
    process.stderr.write(`No part is called "${part}"; there are ${Object.keys(parts).join(', ')}.\n`);
    process.exit(2);
  }
  await run();
}
