import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.js';
import { settled } from '../testing/manual-clock.js';
import { problemsOf } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';

const spoil = (exchange: Exchange): void => void (exchange.body as number[]).push(9);

const tapping = (step: unknown, tap: (exchange: Exchange) => void | Promise<void>) =>
  startEngine({
    processors: { tap, spoil },
    workflows: [{ id: 'w', from: 'test://w', steps: [step, { target: 'test://spoil' }] }],
  });

const nothing = (): void => undefined;

describe('wire-tap', () => {
  it.each([
    ['a target', { 'wire-tap': 'test://tap' }],
    ['a computed target', { 'wire-tap': { starlang: '"test://tap"' } }],
    ['steps', { 'wire-tap': { steps: [{ target: 'test://tap' }] } }],
  ])('sends %s a copy and does not wait for it', async (_what, step) => {
    const seen: unknown[] = [];
    let finish: () => void = nothing;
    const { engine } = await tapping(step, (exchange) => {
      seen.push(exchange.pattern, exchange.body);
      return new Promise((resolve) => void (finish = resolve));
    });
    const exchange = engine.exchange('w', { body: [1] });
    await engine.run('w', exchange);
    expect(exchange.body).toEqual([1, 9]);
    await settled();
    expect(seen).toEqual(['InOnly', [1]]);
    finish();
    await settled();
    expect(engine.inFlight()).toEqual([]);
  });

  it('a tap that fails harms nobody and is told in the log', async () => {
    const { engine, log } = await tapping({ 'wire-tap': 'test://tap' }, () => {
      throw new Error('broken tap');
    });
    const exchange = engine.exchange('w', { body: [] });
    await engine.run('w', exchange);
    await settled();
    expect(exchange.failure).toBeNull();
    expect(log.messages('warn')).toEqual(['workflow failed: broken tap']);
  });

  it('outlives the caller, and is waited for when the engine stops', async () => {
    const caller = new AbortController();
    let isDone = false;
    const { engine } = await tapping({ 'wire-tap': 'test://tap' }, async () => {
      await settled();
      isDone = true;
    });
    await engine.run('w', engine.exchange('w', { body: [], signal: caller.signal }));
    caller.abort();
    const { stuck } = await engine.stop({ timeoutMs: 1000 });
    expect([stuck, isDone]).toEqual([[], true]);
  });

  it('takes one way', () => {
    expect(problemsOf([{ 'wire-tap': {} }])[0]).toMatchObject({ rule: 'missing-key' });
    expect(problemsOf([{ 'wire-tap': { starlang: '"x"', steps: [] } }])[0]).toMatchObject({
      rule: 'wrong-value',
    });
  });
});
