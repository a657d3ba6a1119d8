import { appendFileSync } from 'node:fs';
import { readEnvironment } from '../../../src/common/platform/config/env.js';
import { HelixApp } from '../../../src/common/platform/http/create-app.js';
import { restOver, Workbench } from './workbench.js';

/**
 * A node in a process of its own, to be killed. Its tools write a line into the file of TEST_RUNS each time they run,
 * and hang where TEST_HANG is set.
 */
const { TEST_RUNS = '', TEST_HANG } = process.env;
const bench = new Workbench();
for (const redispatch of ['safe', 'never'] as const) {
  bench.add(redispatch, {
    policy: { redispatch, timeoutMs: 600_000 },
    work: () => {
      appendFileSync(TEST_RUNS, `${redispatch}\n`);
      return TEST_HANG === undefined ? 'done' : new Promise(() => {});
    },
  });
}
const app = await HelixApp.create(restOver(bench), readEnvironment());
process.stdout.write(`listening ${await app.listen()}\n`);
