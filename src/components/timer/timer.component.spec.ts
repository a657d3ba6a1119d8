import { describe, expect, it } from 'vitest';
import type { Processor } from '../../common/engine/api/processor.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ManualClock, settled } from '../../common/engine/testing/manual-clock.js';
import { startEngine } from '../../common/engine/testing/test-engine.js';
import { TimerComponent } from './timer.component.js';

describeComponent(
  () => new TimerComponent(new ManualClock()),
  'timer://name',
  'timer://name?period=5s&delay=1m&repeat-count=3',
);

async function start(uri: string, work: Processor = () => undefined) {
  const clock = new ManualClock();
  const began = clock.now();
  const fired: number[] = [];
  const { engine, log } = await startEngine({
    clock,
    components: [new TimerComponent(clock)],
    processors: {
      work: (exchange) => {
        fired.push(clock.now() - began);
        return work(exchange);
      },
    },
    workflows: [{ id: 'w', from: uri, steps: [{ target: 'test://work' }] }],
  });
  return { engine, clock, fired, log };
}

describe('timer://', () => {
  it('fires after the delay and then once per period, and says which time it is', async () => {
    const seen: unknown[] = [];
    const { engine, clock, fired } = await start('timer://t?delay=2s&period=5s', (exchange) => {
      seen.push([
        exchange.pattern,
        exchange.headers.get('HelixTimerName'),
        exchange.headers.get('HelixTimerCount'),
      ]);
    });
    await clock.advance(12_000);
    expect(fired).toEqual([2000, 7000, 12_000]);
    expect(seen).toEqual([1, 2, 3].map((count) => ['InOnly', 't', count]));
    await engine.stop({ timeoutMs: 0 });
  });

  it('ends after its repeat-count, and leaves no timer', async () => {
    const { clock, fired } = await start('timer://t?delay=0&period=1s&repeat-count=2');
    await clock.advance(60_000);
    expect(fired).toEqual([0, 1000]);
    expect(clock.pending).toBe(0);
  });

  it('never overlaps itself and keeps its beat', async () => {
    const opened: (() => void)[] = [];
    const { engine, clock, fired } = await start(
      'timer://t?delay=0&period=1s',
      () => new Promise((resolve) => void opened.push(resolve)),
    );
    await clock.advance(2500);
    expect(fired).toEqual([0]);
    opened[0]?.();
    await settled();
    await clock.advance(500);
    expect(fired).toEqual([0, 3000]);
    opened[1]?.();
    await engine.stop({ timeoutMs: 0 });
    expect(clock.pending).toBe(0);
  });

  it('a run that fails does not end it', async () => {
    const { engine, clock, fired, log } = await start('timer://t?delay=0&period=1s', () => {
      throw new Error('broken');
    });
    await clock.advance(1000);
    expect(fired).toEqual([0, 1000]);
    expect(log.messages('warn')).toHaveLength(2);
    await engine.stop({ timeoutMs: 0 });
  });

  it('stops with its workflow: nothing fires after, the run on its way runs out', async () => {
    const opened: (() => void)[] = [];
    const { engine, clock, fired } = await start(
      'timer://t?delay=0&period=1s',
      () => new Promise((resolve) => void opened.push(resolve)),
    );
    await clock.advance(0);
    const stopping = engine.stop({ timeoutMs: 10_000 });
    await settled();
    opened[0]?.();
    expect((await stopping).stuck).toEqual([]);
    await clock.advance(60_000);
    expect(fired).toEqual([0]);
    expect(clock.pending).toBe(0);
  });

  it('refuses a period of nothing', () => {
    const timer = new TimerComponent(new ManualClock());
    expect(() => timer.endpoint(EndpointUri.parse('timer://t?period=0'))).toThrow(/period/);
  });
});
