import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.js';
import { runSteps } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';

const processors = {
  a: (exchange: Exchange): void => void (exchange.body = `a ${String(exchange.body)}`),
  b: (exchange: Exchange): void => void (exchange.body = `b ${String(exchange.body)}`),
};

describe('recipient-list', () => {
  it.each([
    ['a list', '["test://a", "test://b"]', ['a x', 'b x']],
    ['one', '"test://a"', ['a x']],
    ['nobody', '[]', []],
    ['null', 'null', []],
  ])('sends to %s', async (_what, starlang, expected) => {
    const list = { 'recipient-list': { starlang, aggregate: { starlang: 'payload' } } };
    expect((await runSteps([list], { body: 'x' }, processors)).body).toEqual(expected);
  });

  it('without aggregate gives the message back', async () => {
    const exchange = await runSteps(
      [{ 'recipient-list': { starlang: '["test://a"]' } }],
      { body: 'x' },
      processors,
    );
    expect(exchange.body).toBe('x');
  });

  it.each([
    ['a number', '[5]', 'EXPRESSION.EVALUATION_FAILED'],
    ['an unknown scheme', '["nowhere://x"]', 'WORKSPACE.UNKNOWN_COMPONENT'],
  ])('fails for %s', async (_what, starlang, code) => {
    expect((await runSteps([{ 'recipient-list': { starlang } }])).failure?.code).toBe(code);
  });

  it('tries the one that failed again, and nobody else, with the message as it was', async () => {
    const seen: string[] = [];
    let isFirst = true;
    const { engine, clock } = await startEngine({
      processors: {
        good: (exchange) => void seen.push(`good ${String(exchange.body)}`),
        flaky: (exchange) => {
          seen.push(`flaky ${String(exchange.body)}`);
          exchange.body = 'spoilt';
          if (!isFirst) return;
          isFirst = false;
          throw new Error('not yet');
        },
      },
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          'error-handler': { retries: 1, delay: '1s' },
          steps: [{ 'recipient-list': { starlang: '["test://good", "test://flaky"]' } }],
        },
      ],
    });
    const exchange = engine.exchange('w', { body: 'x' });
    const running = engine.run('w', exchange);
    await clock.advance(1000);
    await running;
    expect(exchange.failure).toBeNull();
    expect(seen).toEqual(['good x', 'flaky x', 'flaky x']);
  });
});
