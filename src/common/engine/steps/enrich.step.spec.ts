import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.js';
import { problemsOf, runSteps } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';

const processors = {
  ask: (exchange: Exchange): void => {
    exchange.headers.set('X', 'changed');
    exchange.body = { reply: exchange.body };
  },
};
const run = (enrich: unknown): Promise<Exchange> =>
  runSteps([{ enrich }], { body: { id: 7 }, headers: { X: 'mine' } }, processors);

describe('enrich', () => {
  it.each([
    ['replaces the body', 'test://ask', { reply: { id: 7 } }],
    ['asks a computed target', { starlang: '"test://ask"' }, { reply: { id: 7 } }],
    ['asks something else', { uri: 'test://ask', request: { starlang: 'payload.id' } }, { reply: 7 }],
    [
      'puts both together',
      { uri: 'test://ask', aggregate: { starlang: '({ ...payload, more: vars.reply.reply.id })' } },
      { id: 7, more: 7 },
    ],
  ])('%s; the headers stay', async (_how, written, expected) => {
    const exchange = await run(written);
    expect([exchange.body, exchange.headers.get('X')]).toEqual([expected, 'mine']);
    expect(exchange.properties.has('reply')).toBe(false);
  });

  it('keeps the reply as a variable', async () => {
    const exchange = await run({ uri: 'test://ask', request: { value: 1 }, property: 'found' });
    expect([exchange.body, exchange.properties.get('found')]).toEqual([{ id: 7 }, { reply: 1 }]);
  });

  it('is tried again as a whole where the target fails, with an untouched message', async () => {
    const seen: unknown[] = [];
    const { engine, clock } = await startEngine({
      processors: {
        flaky: (exchange) => {
          seen.push(exchange.body);
          exchange.body = 'spoilt';
          if (seen.length === 1) throw new Error('not yet');
        },
      },
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          'error-handler': { retries: 1, delay: '1s' },
          steps: [{ enrich: 'test://flaky' }],
        },
      ],
    });
    const exchange = engine.exchange('w', { body: 'x' });
    const running = engine.run('w', exchange);
    await clock.advance(1000);
    await running;
    expect([exchange.failure, seen]).toEqual([null, ['x', 'x']]);
  });

  it('needs to know whom to ask', () => {
    expect(problemsOf([{ enrich: {} }])[0]).toMatchObject({ rule: 'missing-key' });
  });
});
