/**
 * The engine's speed, side by side with others: `npm run bench:engine [-- steps|seda|http|policies|memory]`. Counted is
 * the processor's time, so that other programs of the machine hardly show. Read the ratios. A wrong outcome ends the run,
 * and each part first proves with a control that it would notice one. See bench/README.md.
 */
import { http, policies } from './http/index.js';
import { serve } from './http/server-process.js';
import type { ServerName } from './http/servers.js';
import { memory } from './memory.js';
import { seda } from './seda.js';
import { steps } from './steps.js';

const parts: Readonly<Record<string, () => Promise<void>>> = { steps, seda, http, policies, memory };

const [part, name] = process.argv.slice(2);
if (part === 'serve') await serve(name as ServerName);
else {
  const wanted = part === undefined ? Object.values(parts) : [parts[part]];
  for (const run of wanted) {
    if (run === undefined) {
      process.stderr.write(`No part is called "${part}"; there are ${Object.keys(parts).join(', ')}.\n`);
      process.exit(2);
    }
    await run();
  }
  process.exit(0);
}
