import { describe, expect, it } from 'vitest';
import type { Processor } from '../../common/engine/api/processor.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ManualClock } from '../../common/engine/testing/manual-clock.js';
import { MemoryLog } from '../../common/engine/testing/memory-log.js';
import { workspaceOf } from '../../common/engine/testing/source.js';
import { makeEngine, startEngine } from '../../common/engine/testing/test-engine.js';
import { CronComponent } from './cron.component.js';

describeComponent(
  () => new CronComponent(new ManualClock(), new MemoryLog()),
  'cron://name?schedule=*/5+*+*+*+*',
  'cron://name?schedule=0 30 9 * * 1-5&time-zone=Europe/Berlin',
);

async function start(schedule: string, work: Processor = () => undefined) {
  const clock = new ManualClock();
  const log = new MemoryLog();
  const fired: string[] = [];
  const { engine } = await startEngine({
    clock,
    components: [new CronComponent(clock, log)],
    processors: {
      work: (exchange) => {
        fired.push(new Date(clock.now()).toISOString());
        return work(exchange);
      },
    },
    workflows: [{ id: 'w', from: `cron://c?schedule=${schedule}`, steps: [{ target: 'test://work' }] }],
  });
  return { engine, clock, fired, log };
}

describe('cron://', () => {
  it('fires at the times of its schedule and names itself', async () => {
    const seen: unknown[] = [];
    // The clock stands at 2023-11-14T22:13:20Z.
    const { engine, clock, fired } = await start('*/10 * * * *', (exchange) => {
      seen.push(exchange.headers.get('HelixCronName'));
    });
    await clock.advance(20 * 60_000);
    expect(fired).toEqual(['2023-11-14T22:20:00.000Z', '2023-11-14T22:30:00.000Z']);
    expect(seen).toEqual(['c', 'c']);
    await engine.stop({ timeoutMs: 0 });
    expect(clock.pending).toBe(0);
  });

  it('skips a time that comes during the last run, tells it, and goes on after', async () => {
    const opened: (() => void)[] = [];
    const { engine, clock, fired, log } = await start(
      '* * * * *',
      () => new Promise((resolve) => void opened.push(resolve)),
    );
    await clock.advance(2 * 60_000);
    expect(fired).toHaveLength(1);
    expect(log.messages('warn')).toHaveLength(1);
    opened[0]?.();
    await clock.advance(60_000);
    expect(fired).toHaveLength(2);
    opened[1]?.();
    await engine.stop({ timeoutMs: 0 });
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['cron://c', 'schedule'],
    ['cron://c?schedule=0 0 30 2 *', 'no such date'],
    ['cron://c?schedule=@daily&time-zone=Nowhere', 'time-zone'],
  ])('a check refuses %s', (from, why) => {
    const { engine } = makeEngine({ components: [new CronComponent(new ManualClock(), new MemoryLog())] });
    const [problem] = engine.check(workspaceOf({ workflows: [{ id: 'w', from }] }));
    expect(problem).toMatchObject({ severity: 'error' });
    expect(problem?.message).toContain(why);
  });
});
