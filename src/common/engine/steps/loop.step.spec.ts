import { describe, expect, it } from 'vitest';
import { settled } from '../testing/manual-clock.js';
import { problemsOf, runSteps } from '../testing/run-steps.js';

const more = { 'set-body': { starlang: 'payload + 1' } };

describe('loop', () => {
  it.each([
    ['a count', { count: 3, steps: [more] }, 3],
    ['a computed count', { count: { starlang: '2 + 2' }, steps: [more] }, 4],
    ['no turn', { count: 0, steps: [more] }, 0],
    ['a condition', { while: 'payload < 5', steps: [more] }, 5],
    ['the index', { count: 4, steps: [{ 'set-body': { starlang: 'payload + vars.loop.index' } }] }, 6],
  ])('goes by %s', async (_what, loop, expected) => {
    const exchange = await runSteps([{ loop }], { body: 0 });
    expect([exchange.failure, exchange.body]).toEqual([null, expected]);
    expect(exchange.properties.has('loop')).toBe(false);
  });

  it('takes a hundred thousand turns, and lets the event loop in meanwhile', async () => {
    let breaths = 0;
    let isDone = false;
    const breathe = (): void => {
      breaths++;
      if (!isDone) setImmediate(breathe);
    };
    setImmediate(breathe);
    const exchange = await runSteps([{ loop: { count: 100_000, steps: [more] } }], { body: 0 });
    isDone = true;
    expect(exchange.body).toBe(100_000);
    expect(breaths).toBeGreaterThan(1);
  }, 30_000);

  it('lets a time-out end a loop without end, even one without steps', async () => {
    const caller = new AbortController();
    setImmediate(() => caller.abort());
    const exchange = await runSteps([{ loop: { while: 'true', steps: [] } }], { signal: caller.signal });
    expect(exchange.failure?.code).toBe('ENGINE.CANCELLED');
  });

  it('ends with a failure, a stop, and a condition that fails, and keeps an outer index', async () => {
    expect((await runSteps([{ loop: { count: 5, steps: [more, { throw: 'no' }] } }], { body: 0 })).body).toBe(
      1,
    );
    const stopped = await runSteps([{ loop: { count: 5, steps: [more, { stop: null }] } }, more], {
      body: 0,
    });
    expect([stopped.failure, stopped.body]).toEqual([null, 1]);
    const broken = await runSteps([{ loop: { while: 'payload.a.b', steps: [] } }], { body: 0 });
    expect(broken.failure?.code).toBe('EXPRESSION.EVALUATION_FAILED');
    const inner = { loop: { count: 2, steps: [] } };
    const nested = { loop: { count: 3, steps: [inner, { 'set-body': { starlang: 'vars.loop.index' } }] } };
    expect((await runSteps([nested])).body).toBe(2);
  });

  it('waits for what its steps wait for', async () => {
    const steps = [{ loop: { count: 3, steps: [{ target: 'test://wait' }, more] } }];
    expect((await runSteps(steps, { body: 0 }, { wait: settled })).body).toBe(3);
  });

  it('takes count or while', async () => {
    expect(problemsOf([{ loop: { steps: [] } }])[0]).toMatchObject({ rule: 'missing-key' });
    expect(problemsOf([{ loop: { count: 1, while: 'true', steps: [] } }])[0]).toMatchObject({
      rule: 'wrong-value',
    });
    for (const starlang of ['-1', '1.5', '"many"', 'null']) {
      const exchange = await runSteps([{ loop: { count: { starlang }, steps: [] } }]);
      expect(exchange.failure?.code).toBe('EXPRESSION.EVALUATION_FAILED');
    }
  });
});
