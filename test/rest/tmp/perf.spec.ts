import { expect, it } from 'vitest';
import { startRest } from '../support/client.js';
it('perf', async () => {
  const story = await startRest({ env: { LOG_LEVEL: 'warn' } });
  const ann = await story.owner();
  story.bench.add('echo', { work: (i) => i, policy: { redispatch: 'safe' } });
  for (let i = 0; i < 300; i++) await ann.call('echo', {});
  for (const c of [1, 20]) {
    const cpu = process.cpuUsage();
    const t = performance.now();
    await Promise.all(
      Array.from({ length: c }, async () => {
        for (let i = 0; i < 400 / c; i++) await ann.call('echo', { i });
      }),
    );
    const d = performance.now() - t;
    const u = process.cpuUsage(cpu);
    console.log(
      c,
      'callers',
      Math.round((400 / d) * 1000),
      '/s',
      'cpu ms per call',
      ((u.user + u.system) / 400_000).toFixed(2),
    );
  }
  const t0 = process.cpuUsage();
  for (let i = 0; i < 400; i++) await fetch(ann.url + '/health/live').then((r) => r.text());
  const u0 = process.cpuUsage(t0);
  console.log('health cpu', ((u0.user + u0.system) / 400_000).toFixed(2));
  await story.close();
  expect(1).toBe(1);
}, 120_000);
