import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { HelixLog } from '../logging/helix-log.js';
import { Metrics } from '../metrics/metrics.js';
import { edge } from './edge.js';

it('logs every answer, but of refusals one a second with the number of the others', async () => {
  const lines: { status: number; unlogged?: number }[] = [];
  const to = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(JSON.parse(chunk.toString()) as { status: number });
      done();
    },
  });
  const log = new HelixLog({ level: 'info', format: 'json', to });
  let last = 0;
  const parts = { nextId: () => `id-${++last}`, isHttps: false, isStopping: () => false };
  const app = express().use(edge({ log, metrics: new Metrics(), ...parts }));
  app.use('/:status', (request, response) => void response.status(Number(request.params.status)).end());
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (status: number) => (await fetch(`http://127.0.0.1:${port}/${status}`)).status;
  const linesOf = (status: number) => lines.filter((line) => line.status === status);

  for (let turn = 0; turn < 20; turn += 1) for (const status of [200, 503, 429]) await ask(status);
  await expect.poll(() => linesOf(200).length).toBe(20);
  for (const status of [503, 429]) {
    const told = linesOf(status);
    // On a machine that is busy these take longer than a second.
    expect(told.length).toBeLessThan(20);
    expect(told[0]).not.toHaveProperty('unlogged');
  }
  await expect
    .poll(
      async () => {
        await ask(503);
        return linesOf(503).at(-1)?.unlogged ?? 0;
      },
      { timeout: 10_000, interval: 100 },
    )
    .toBeGreaterThan(0);
});
