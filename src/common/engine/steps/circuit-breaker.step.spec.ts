import { describe, expect, it } from 'vitest';
import { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';
import { settled } from '../testing/manual-clock.js';
import { startEngine } from '../testing/test-engine.js';

async function guarded(extras: object, call: (exchange: Exchange) => void | Promise<void>) {
  let calls = 0;
  const made = await startEngine({
    processors: {
      call: (exchange) => {
        calls++;
        return call(exchange);
      },
    },
    workflows: [
      {
        id: 'w',
        from: 'test://w',
        steps: [{ 'circuit-breaker': { steps: [{ id: 'call', target: 'test://call' }], ...extras } }],
      },
    ],
  });
  const { engine } = made;
  const begin = (body: unknown = 'x', signal?: AbortSignal) => {
    const exchange = engine.exchange('w', { body, ...(signal ? { signal } : {}) });
    return { exchange, done: engine.run('w', exchange) };
  };
  const send = async (body?: unknown): Promise<Exchange> => {
    const { exchange, done } = begin(body);
    await done;
    return exchange;
  };
  return { ...made, send, begin, calls: () => calls };
}

const fallback = { 'on-fallback': [{ 'set-body': { starlang: '[payload, error.code]' } }] };
const broken = (): void => {
  throw new Error('broken');
};
const spoil = (exchange: Exchange): void => {
  exchange.body = 'spoilt';
  throw new Error('broken');
};
const refuse = (): void => {
  throw new HelixError('TOOL.INVALID_ARGUMENTS', 'no');
};
const soon = { 'minimum-calls': 2, window: 2, 'open-for': '10s' };

describe('circuit-breaker', () => {
  it('takes over what its steps did, variables and stops too', async () => {
    const { send } = await guarded(
      { steps: [{ 'set-property': { name: 'p', value: 1 } }, { stop: null }] },
      broken,
    );
    const exchange = await send();
    expect([exchange.failure, exchange.body, exchange.properties.get('p')]).toEqual([null, 'x', 1]);
  });

  it('does the fallback with the message as it stood before, the failure readable', async () => {
    const exchange = await (await guarded(fallback, spoil)).send();
    expect([exchange.failure, exchange.body]).toEqual([null, ['x', 'ENGINE.INTERNAL']]);
    expect(exchange.caught).toBeNull();
  });

  it('without fallback fails with the failure, at its place', async () => {
    const exchange = await (await guarded({}, broken)).send();
    expect([exchange.failure?.message, exchange.failedAt]).toEqual([
      'broken',
      { workflowId: 'w', stepId: 'call' },
    ]);
  });

  it('opens after too many failures, spares the target, tries one call later, and closes', async () => {
    let isBroken = true;
    const { send, calls, clock } = await guarded(soon, () => (isBroken ? broken() : undefined));
    await send();
    await send();
    expect((await send()).failure).toMatchObject({
      code: 'ENGINE.CIRCUIT_OPEN',
      details: { retryAfterSeconds: 10 },
    });
    expect(calls()).toBe(2);
    await clock.advance(10_000);
    expect((await send()).failure?.message).toBe('broken');
    expect((await send()).failure?.code).toBe('ENGINE.CIRCUIT_OPEN');
    isBroken = false;
    await clock.advance(10_000);
    expect((await send()).failure).toBeNull();
    expect((await send()).failure).toBeNull();
    expect(calls()).toBe(5);
  });

  it('counts only the last calls, and opens at its share of failures', async () => {
    const outcomes = [false, true, true, true, true, false, false];
    const { send, calls } = await guarded({ ...soon, window: 4, 'minimum-calls': 4 }, () =>
      outcomes.shift() ? undefined : broken(),
    );
    for (let turn = 0; turn < 7; turn++) await send();
    expect(calls()).toBe(7);
    expect((await send()).failure?.code).toBe('ENGINE.CIRCUIT_OPEN');
  });

  it('a call beyond its time counts as a failure and gets the fallback, and cannot touch the message later', async () => {
    let finish: () => void = broken;
    const slow = async (exchange: Exchange): Promise<void> => {
      await new Promise<void>((resolve) => void (finish = resolve));
      exchange.body = 'too late';
    };
    const { begin, send, clock } = await guarded({ ...soon, ...fallback, timeout: '1s' }, slow);
    for (let turn = 0; turn < 2; turn++) {
      const { exchange, done } = begin();
      await clock.advance(1000);
      await done;
      finish();
      await settled();
      expect(exchange.body).toEqual(['x', 'ENGINE.TIMED_OUT']);
    }
    expect((await send()).body).toEqual(['x', 'ENGINE.CIRCUIT_OPEN']);
    expect(clock.pending).toBe(0);
  });

  it('a fault of the request and a caller that left say nothing about the target', async () => {
    const strict = await guarded(soon, refuse);
    for (let turn = 0; turn < 4; turn++) await strict.send();
    expect(strict.calls()).toBe(4);
    const hanging = await guarded(soon, () => new Promise(() => undefined));
    for (let turn = 0; turn < 4; turn++) {
      const caller = new AbortController();
      const { exchange, done } = hanging.begin('x', caller.signal);
      await settled();
      caller.abort();
      await done;
      expect(exchange.failure?.code).toBe('ENGINE.CANCELLED');
    }
    expect(hanging.calls()).toBe(4);
  });

  it('lets only the trial calls through while it tries', async () => {
    let finish: () => void = broken;
    let isBroken = true;
    const { send, begin, clock, calls } = await guarded(soon, () =>
      isBroken ? broken() : new Promise((resolve) => void (finish = resolve)),
    );
    await send();
    await send();
    isBroken = false;
    await clock.advance(10_000);
    const trial = begin();
    await settled();
    expect((await send()).failure?.code).toBe('ENGINE.CIRCUIT_OPEN');
    finish();
    await trial.done;
    expect([trial.exchange.failure, calls()]).toEqual([null, 3]);
  });
});
