import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.js';
import { settled } from '../testing/manual-clock.js';
import { startEngine } from '../testing/test-engine.js';

async function throttled(throttle: unknown) {
  const seen: unknown[] = [];
  const { engine, clock } = await startEngine({
    processors: { see: (exchange: Exchange) => void seen.push(exchange.body) },
    workflows: [{ id: 'w', from: 'test://w', steps: [{ throttle }, { target: 'test://see' }] }],
  });
  const send = (body: unknown, signal?: AbortSignal): { exchange: Exchange; done: Promise<void> } => {
    const exchange = engine.exchange('w', { body, ...(signal ? { signal } : {}) });
    return { exchange, done: engine.run('w', exchange) };
  };
  return { send, clock, seen, engine };
}

describe('throttle', () => {
  it('lets so many pass within the time, and the others one time later, in their order', async () => {
    const { send, clock, seen } = await throttled({ rate: 2, per: '1s' });
    const all = [1, 2, 3, 4, 5].map((body) => send(body).done);
    await settled();
    expect(seen).toEqual([1, 2]);
    await clock.advance(999);
    expect(seen).toEqual([1, 2]);
    await clock.advance(1);
    expect(seen).toEqual([1, 2, 3, 4]);
    await clock.advance(1000);
    await Promise.all(all);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(clock.pending).toBe(0);
  });

  it('never lets more pass within any span of that length', async () => {
    const { send, clock, seen } = await throttled(2);
    await send(1).done;
    await clock.advance(900);
    await send(2).done;
    const late = [send(3), send(4)];
    await clock.advance(100);
    expect(seen).toEqual([1, 2, 3]);
    await clock.advance(900);
    await Promise.all(late.map(({ done }) => done));
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('counts apart by key', async () => {
    const { send, seen } = await throttled({ rate: 1, key: { starlang: 'payload.of' } });
    await send({ of: 'a' }).done;
    await send({ of: 'b' }).done;
    expect(seen).toHaveLength(2);
  });

  it('refuses who would wait in a line that is full, and says when to come again', async () => {
    const { send } = await throttled({ rate: 1, per: '3s', 'max-waiting': 0 });
    await send(1).done;
    const { exchange, done } = send(2);
    await done;
    expect(exchange.failure).toMatchObject({
      code: 'ENGINE.OVERLOADED',
      details: { retryAfterSeconds: 3 },
    });
  });

  it('who leaves the line uses up nothing, and takes nobody else out of it', async () => {
    const { send, clock, seen } = await throttled({ rate: 1, per: '1s' });
    await send(1).done;
    const caller = new AbortController();
    const [leaver, stayer] = [send(2, caller.signal), send(3)];
    await settled();
    caller.abort();
    await leaver.done;
    expect(leaver.exchange.failure?.code).toBe('ENGINE.CANCELLED');
    await clock.advance(1000);
    await stayer.done;
    expect(seen).toEqual([1, 3]);
    expect(clock.pending).toBe(0);
  });
});
