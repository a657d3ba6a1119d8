import { describe, expect, it } from 'vitest';
import { settled } from '../testing/manual-clock.js';
import { problemsOf, runSteps } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';

describe('delay', () => {
  it.each([['2s'], [2000], [{ starlang: 'payload' }]])('%j waits two seconds of the clock', async (delay) => {
    const { engine, clock } = await startEngine({
      workflows: [{ id: 'w', from: 'test://w', steps: [{ delay }, { 'set-body': 'after' }] }],
    });
    const exchange = engine.exchange('w', { body: '2000ms' });
    const running = engine.run('w', exchange);
    await clock.advance(1999);
    expect(exchange.body).toBe('2000ms');
    await clock.advance(1);
    await running;
    expect(exchange.body).toBe('after');
  });

  it('ends when the caller leaves, and leaves no timer', async () => {
    const caller = new AbortController();
    const { engine, clock } = await startEngine({
      workflows: [{ id: 'w', from: 'test://w', steps: [{ delay: '1h' }] }],
    });
    const exchange = engine.exchange('w', { signal: caller.signal });
    const running = engine.run('w', exchange);
    await settled();
    caller.abort();
    await running;
    expect([exchange.failure?.code, clock.pending]).toEqual(['ENGINE.CANCELLED', 0]);
  });

  it('takes a time span', async () => {
    expect(problemsOf([{ delay: 'soon' }])[0]).toMatchObject({ rule: 'wrong-value' });
    expect((await runSteps([{ delay: { starlang: '"soon"' } }])).failure?.code).toBe(
      'EXPRESSION.EVALUATION_FAILED',
    );
  });
});
