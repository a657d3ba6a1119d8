import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.js';
import { problemsOf, runSteps } from '../testing/run-steps.js';

const spoil = (exchange: Exchange): void => {
  (exchange.body as { a: { n: number } }).a.n++;
};
const see = (exchange: Exchange): void => void (exchange.body = (exchange.body as { a: { n: number } }).a.n);

describe('multicast', () => {
  it('gives each target and each list of steps a copy of its own, and the message stays', async () => {
    const steps = [
      {
        multicast: {
          to: ['test://spoil', { uri: 'test://spoil', parameters: {} }],
          branches: [{ steps: [{ target: 'test://spoil' }] }],
        },
      },
    ];
    const exchange = await runSteps(steps, { body: { a: { n: 0 } } }, { spoil });
    expect([exchange.failure, exchange.body]).toEqual([null, { a: { n: 0 } }]);
  });

  it('puts the replies together in the order written', async () => {
    const steps = [
      {
        multicast: {
          parallel: true,
          aggregate: { starlang: 'payload' },
          branches: [{ steps: [{ target: 'test://spoil' }, { target: 'test://see' }] }],
          to: ['test://see'],
        },
      },
    ];
    expect((await runSteps(steps, { body: { a: { n: 0 } } }, { spoil, see })).body).toEqual([0, 1]);
  });

  it('a failing leg fails the step and leaves the body alone, though replies are put together', async () => {
    const steps = [
      {
        multicast: {
          aggregate: { starlang: '"merged"' },
          branches: [{ steps: [{ id: 'bad', throw: 'no' }] }, { steps: [{ 'set-body': 'fine' }] }],
        },
      },
    ];
    const exchange = await runSteps(steps, { body: 'original' });
    expect(exchange.body).toBe('original');
    expect([exchange.failure?.message, exchange.failedAt?.stepId]).toEqual(['no', 'bad']);
  });

  it('in short takes targets', async () => {
    let calls = 0;
    const count = (): void => void calls++;
    await runSteps([{ multicast: ['test://count', 'test://count'] }], {}, { count });
    expect(calls).toBe(2);
    expect(problemsOf([{ multicast: {} }])[0]).toMatchObject({ rule: 'missing-key' });
    expect(problemsOf([{ multicast: ['test://nobody'] }])[0]).toMatchObject({ rule: 'unsupported-end' });
  });
});
