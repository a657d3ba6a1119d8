import { describe, expect, it } from 'vitest';
import { StepCounters } from './step-counters.js';
import { chainOrder, engineChain } from './engine-chain.js';
import { Exchange } from '../model/exchange.js';
import { MemoryLog } from '../testing/memory-log.js';
import { startEngine } from '../testing/test-engine.js';

const chain = (log = new MemoryLog()) => engineChain({ log, meter: new StepCounters() });

describe('the chain', () => {
  it('is the one ordered list', () => {
    expect(chain().map(({ name }) => name)).toEqual([...chainOrder]);
  });

  it('tells each step with its time and code, and nothing of what was in the message or the error', async () => {
    const { engine, log } = await startEngine({
      processors: {
        bad: () => {
          throw new Error('password=hunter2');
        },
      },
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          steps: [{ 'set-header': { name: 'a', value: 'hunter2' } }, { target: 'test://bad' }],
        },
      ],
    });
    await engine.run('w', engine.exchange('w', { body: 'hunter2', headers: { token: 'hunter2' } }));
    const traced = log.lines.filter(({ level }) => level === 'debug');
    expect(traced).toMatchObject([
      { message: 'step done', facts: { workflow: 'w', step: 'set-header[0]' } },
      { message: 'step failed', facts: { step: 'target[1]', code: 'ENGINE.INTERNAL' } },
    ]);
    expect(JSON.stringify(traced)).not.toContain('hunter2');
  });

  it('builds no line where the log wants none', async () => {
    const log = Object.assign(new MemoryLog(), { isEnabled: () => false });
    const [, trace] = chain(log);
    await trace?.intercept(
      new Exchange({ id: 'x' }),
      { workflowId: 'w', stepId: 's', keyword: 'k' },
      () => undefined,
    );
    expect(log.lines).toEqual([]);
  });

  it('takes over the request id of the caller where it is harmless', async () => {
    const { engine } = await startEngine({
      workflows: [{ id: 'w', from: 'test://w', steps: [{ 'set-body': 1 }] }],
    });
    const correlation = async (id: string): Promise<string> => {
      const exchange = engine.exchange('w', { headers: { 'X-Request-Id': id } });
      await engine.run('w', exchange);
      return exchange.correlationId;
    };
    expect(await correlation('abc-123')).toBe('abc-123');
    expect(await correlation('forged\nline')).toMatch(/^id-/);
    expect(await correlation('x'.repeat(200))).toMatch(/^id-/);
  });
});
