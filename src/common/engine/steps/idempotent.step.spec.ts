import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.js';
import { ManualClock, settled } from '../testing/manual-clock.js';
import { problemsOf } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';
import { standardSteps } from './index.js';
import { MemoryIdempotencyStore } from './memory-idempotency-store.js';

const nothing = (): void => undefined;

async function once(extras: object, work: (exchange: Exchange) => void | Promise<void>) {
  let calls = 0;
  const made = await startEngine({
    processors: {
      work: (exchange) => {
        calls++;
        return work(exchange);
      },
    },
    workflows: [
      {
        id: 'w',
        from: 'test://w',
        steps: [
          { idempotent: { key: { starlang: 'payload.id' }, steps: [{ target: 'test://work' }], ...extras } },
        ],
      },
    ],
  });
  const begin = (id: unknown) => {
    const exchange = made.engine.exchange('w', { body: { id } });
    return { exchange, done: made.engine.run('w', exchange) };
  };
  const send = async (id: unknown): Promise<Exchange> => {
    const { exchange, done } = begin(id);
    await done;
    return exchange;
  };
  return { ...made, begin, send, calls: () => calls };
}

describe('idempotent', () => {
  it('does its steps once per key, and something else for a duplicate', async () => {
    const { send, calls } = await once({ 'on-duplicate': [{ 'set-body': 'known' }] }, () => undefined);
    expect((await send(1)).body).toEqual({ id: 1 });
    expect((await send(1)).body).toBe('known');
    expect((await send('1')).body).toEqual({ id: '1' });
    expect(calls()).toBe(2);
  });

  it('of two at once one works; the other is told so and may come again', async () => {
    let finish: () => void = nothing;
    const { begin, send, calls } = await once({}, () => new Promise((resolve) => void (finish = resolve)));
    const first = begin(1);
    const second = begin(1);
    await second.done;
    expect(second.exchange.failure?.code).toBe('ENGINE.DUPLICATE_IN_PROGRESS');
    finish();
    await first.done;
    expect((await send(1)).failure).toBeNull();
    expect(calls()).toBe(1);
  });

  it('frees the key where the work fails', async () => {
    let isBroken = true;
    const { send, calls } = await once({}, () => {
      if (isBroken) throw new Error('broken');
    });
    expect((await send(1)).failure?.message).toBe('broken');
    isBroken = false;
    expect((await send(1)).failure).toBeNull();
    expect(calls()).toBe(2);
  });

  it('frees the key where the caller leaves', async () => {
    let isHanging = true;
    const { engine, send, calls } = await once({}, () =>
      isHanging ? new Promise(() => undefined) : undefined,
    );
    const caller = new AbortController();
    const running = engine.run('w', engine.exchange('w', { body: { id: 1 }, signal: caller.signal }));
    await settled();
    caller.abort();
    await running;
    await settled();
    isHanging = false;
    expect((await send(1)).failure).toBeNull();
    expect(calls()).toBe(2);
  });

  it('forgets a key after its time', async () => {
    const { send, calls, clock } = await once({ keep: '1m' }, () => undefined);
    await send(1);
    await clock.advance(59_999);
    await send(1);
    expect(calls()).toBe(1);
    await clock.advance(1);
    await send(1);
    expect(calls()).toBe(2);
  });

  it.each([null, ''])(
    'a key that is %j is a failure, since all such messages would be the same',
    async (id) => {
      expect((await (await once({}, () => undefined)).send(id)).failure?.code).toBe(
        'EXPRESSION.EVALUATION_FAILED',
      );
    },
  );

  it('names its store: memory, or one that the server brings', async () => {
    expect(problemsOf([{ idempotent: { key: 'k', steps: [], store: 'redis' } }])[0]?.message).toContain(
      'memory',
    );
    const store = new MemoryIdempotencyStore(new ManualClock());
    const { engine } = await startEngine({
      stepTypes: standardSteps({ idempotencyStores: { shared: store } }),
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          steps: [{ id: 'it', idempotent: { key: 'k', store: 'shared', steps: [] } }],
        },
      ],
    });
    await engine.run('w', engine.exchange('w', {}));
    expect(store.begin(JSON.stringify(['w/it', 'k']))).toBe('done');
  });
});

describe('the store in memory', () => {
  it('keeps the newest keys, and never forgets one that is being worked on', () => {
    const store = new MemoryIdempotencyStore(new ManualClock(), 2);
    store.begin('busy');
    for (const key of ['a', 'b', 'c']) {
      store.begin(key);
      store.complete(key, 1000);
    }
    expect([store.begin('busy'), store.begin('c'), store.begin('b'), store.begin('a')]).toEqual([
      'running',
      'done',
      'done',
      'mine',
    ]);
  });
});
