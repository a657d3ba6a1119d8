import { describe, expect, it } from 'vitest';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { Exchange } from '../../common/engine/model/exchange.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ManualClock, settled } from '../../common/engine/testing/manual-clock.js';
import { startEngine } from '../../common/engine/testing/test-engine.js';
import { MockComponent } from './mock.component.js';

describeComponent(
  () => new MockComponent(new ManualClock()),
  'mock://name',
  'mock://name?reply=ok&delay=1s',
  'mock://name?fail=down&fail-times=2',
);

const send = async (mock: MockComponent, uri: string, body: unknown = null): Promise<Exchange> => {
  const exchange = new Exchange({ id: 'x', body, headers: { h: 1 } });
  try {
    await mock.endpoint(EndpointUri.parse(uri)).producer?.()(exchange);
  } catch (thrown) {
    exchange.fail(thrown);
  }
  return exchange;
};

describe('mock://', () => {
  it('remembers what it was sent, as it was then', async () => {
    const mock = new MockComponent(new ManualClock());
    const { body } = await send(mock, 'mock://m', { n: 1 });
    (body as { n: number }).n = 2;
    expect(mock.received('m')).toEqual([
      { exchangeId: 'x', workflowId: null, body: { n: 1 }, headers: { h: 1 } },
    ]);
    expect(mock.received('other')).toEqual([]);
  });

  it.each([
    ['mock://m', 'as sent'],
    ['mock://m?reply=text', 'text'],
    ['mock://m?reply={"a":[1]}', { a: [1] }],
    ['mock://m?reply=null', null],
  ])('%s answers %j', async (uri, expected) => {
    expect((await send(new MockComponent(new ManualClock()), uri, 'as sent')).body).toEqual(expected);
  });

  it('remembers the newest, and counts all', async () => {
    const mock = new MockComponent(new ManualClock());
    for (const body of [1, 2, 3]) await send(mock, 'mock://m?keep=2', body);
    expect(mock.received('m').map(({ body }) => body)).toEqual([2, 3]);
    expect(mock.count('m')).toBe(3);
    await send(mock, 'mock://none?keep=0');
    expect(mock.received('none')).toEqual([]);
  });

  it('fails as often as told, so that retries can be tried', async () => {
    const mock = new MockComponent(new ManualClock());
    const clock = new ManualClock();
    const { engine } = await startEngine({
      clock,
      components: [mock],
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          'error-handler': { retries: 2, delay: '1s' },
          steps: [{ target: 'mock://m?fail=down&fail-times=2&reply=up' }],
        },
      ],
    });
    const exchange = engine.exchange('w', {});
    const done = engine.run('w', exchange);
    await clock.advance(10_000);
    await done;
    expect(exchange.body).toBe('up');
    expect(mock.count('m')).toBe(3);
  });

  it('answers by a script first', async () => {
    const mock = new MockComponent(new ManualClock());
    mock.script(
      'm',
      (exchange) => void (exchange.body = 'first'),
      () => {
        throw new Error('second');
      },
    );
    expect((await send(mock, 'mock://m?reply=rest')).body).toBe('first');
    expect((await send(mock, 'mock://m?reply=rest')).failure?.message).toBe('second');
    expect((await send(mock, 'mock://m?reply=rest')).body).toBe('rest');
    mock.reset();
    expect(mock.count('m')).toBe(0);
  });

  it('takes its time, and none when the caller leaves', async () => {
    const clock = new ManualClock();
    const mock = new MockComponent(clock);
    const caller = new AbortController();
    const exchange = new Exchange({ id: 'x', signal: caller.signal });
    const waiting = (async () => {
      try {
        await mock.endpoint(EndpointUri.parse('mock://m?delay=1m')).producer?.()(exchange);
      } catch (thrown) {
        exchange.fail(thrown);
      }
    })();
    await settled();
    expect(clock.pending).toBe(1);
    caller.abort();
    await waiting;
    expect(exchange.failure?.code).toBe('ENGINE.CANCELLED');
    expect(clock.pending).toBe(0);
  });
});
