import { expect, test } from 'vitest';
import { Metrics } from './metrics.js';

test('a series is the same whether it is kept or found by its labels', () => {
  const metrics = new Metrics();
  const calls = metrics.counter('calls_total', 'Calls.', ['tool', 'status']);
  const kept = calls.of({ tool: 'a"b', status: 'ok' });
  kept.add(2);
  calls.add(1, { status: 'ok', tool: 'a"b' });
  expect(metrics.render()).toContain('calls_total{tool="a\\"b",status="ok"} 3\n');
});

test('a histogram counts in each bucket all that are not larger', () => {
  const metrics = new Metrics();
  const seconds = metrics.histogram('seconds', 'Seconds.', ['workflow']);
  for (const value of [0.005, 0.006, 0.2, 31]) seconds.observe(value, { workflow: 'w' });
  seconds.of({ workflow: 'w' }).observe(30);
  const lines = metrics.render();
  expect(lines).toContain('seconds_bucket{workflow="w",le="0.005"} 1\n');
  expect(lines).toContain('seconds_bucket{workflow="w",le="0.01"} 2\n');
  expect(lines).toContain('seconds_bucket{workflow="w",le="0.25"} 3\n');
  expect(lines).toContain('seconds_bucket{workflow="w",le="30"} 4\n');
  expect(lines).toContain('seconds_bucket{workflow="w",le="+Inf"} 5\n');
  expect(lines).toContain('seconds_sum{workflow="w"} 61.211\n');
  expect(lines).toContain('seconds_count{workflow="w"} 5\n');
});
