import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.js';
import { settled } from '../testing/manual-clock.js';
import { problemsOf } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';

async function gathering(aggregate: object, see?: (exchange: Exchange) => void) {
  const seen: unknown[] = [];
  const made = await startEngine({
    processors: { see: (exchange) => (see ? see(exchange) : void seen.push(exchange.body)) },
    workflows: [
      {
        id: 'w',
        from: 'test://w',
        steps: [
          { aggregate: { steps: [{ target: 'test://see' }], ...aggregate } },
          { 'set-header': { name: 'a', value: 1 } },
        ],
      },
    ],
  });
  const send = async (body: unknown): Promise<Exchange> => {
    const exchange = made.engine.exchange('w', { body });
    await made.engine.run('w', exchange);
    await settled();
    return exchange;
  };
  return { ...made, send, seen };
}

describe('aggregate', () => {
  it('completes a group by size; each message goes on as it is', async () => {
    const { send, seen, engine } = await gathering({ size: 2 });
    const exchange = await send(1);
    expect([exchange.body, exchange.headers.get('a'), seen]).toEqual([1, 1, []]);
    await send(2);
    await send(3);
    expect(seen).toEqual([[1, 2]]);
    expect(engine.inFlight()).toEqual([]);
  });

  it('keeps groups apart by correlation, and of each message what it is told to', async () => {
    const { send, seen } = await gathering({
      size: 2,
      correlation: { starlang: 'payload.of' },
      collect: { starlang: 'payload.n' },
    });
    for (const [of, n] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['b', 4],
    ])
      await send({ of, n });
    expect(seen).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('completes a group so long after its first message, once', async () => {
    const { send, seen, clock } = await gathering({ timeout: '5s', size: 3 });
    await send(1);
    await clock.advance(4999);
    await send(2);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual([[1, 2]]);
    for (const n of [3, 4, 5]) await send(n);
    expect(seen).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    expect(clock.pending).toBe(0);
  });

  it('completes a group by a predicate over the list so far; one that fails adds nothing', async () => {
    const { send, seen } = await gathering({ predicate: 'payload.reduce((a, b) => a + b.n.v, 0) > 3' });
    await send({ n: { v: 2 } });
    expect((await send({})).failure?.code).toBe('EXPRESSION.EVALUATION_FAILED');
    await send({ n: { v: 2 } });
    expect(seen).toEqual([[{ n: { v: 2 } }, { n: { v: 2 } }]]);
  });

  it('keeps copies, and fails nobody with the group', async () => {
    const { send, log } = await gathering({ size: 1 }, (exchange) => {
      (exchange.body as { n: number }[])[0]!.n++;
      throw new Error('broken');
    });
    const exchange = await send({ n: 1 });
    expect([exchange.failure, exchange.body]).toEqual([null, { n: 1 }]);
    expect(log.messages('warn')).toEqual(['workflow failed: broken']);
  });

  it('loses no open group when the engine stops', async () => {
    const { send, seen, engine, clock } = await gathering({ size: 3, timeout: '1h' });
    await send(1);
    expect(await engine.stop({ timeoutMs: 1000 })).toEqual({ stuck: [] });
    expect([seen, clock.pending]).toEqual([[[1]], 0]);
  });

  it('holds no more groups open than it may', async () => {
    const { send } = await gathering({ size: 2, correlation: { starlang: 'payload' }, 'max-groups': 1 });
    await send(1);
    expect((await send(2)).failure?.code).toBe('ENGINE.OVERLOADED');
    expect((await send(1)).failure).toBeNull();
  });

  it('needs to know when a group is complete', () => {
    expect(problemsOf([{ aggregate: { steps: [] } }])[0]).toMatchObject({ rule: 'missing-key' });
  });
});
