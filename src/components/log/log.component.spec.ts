import { describe, expect, it } from 'vitest';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { Exchange } from '../../common/engine/model/exchange.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ManualClock } from '../../common/engine/testing/manual-clock.js';
import { MemoryLog } from '../../common/engine/testing/memory-log.js';
import { LogComponent } from './log.component.js';

describeComponent(
  () => new LogComponent(new MemoryLog(), new ManualClock()),
  'log://name',
  'log://name?level=warn',
);

const exchange = (): Exchange =>
  new Exchange({ id: 'x', body: { secret: 'body' }, headers: { Authorization: 'secret header' } });

describe('log://', () => {
  const log = new MemoryLog();
  const clock = new ManualClock();
  const send = (uri: string): void =>
    void new LogComponent(log, clock).endpoint(EndpointUri.parse(uri)).producer?.()(exchange());

  it('writes a line with the ids, and neither body nor headers unless told to', () => {
    log.lines.length = 0;
    send('log://orders');
    expect(log.lines).toMatchObject([{ level: 'info', message: 'orders', facts: { exchange: 'x' } }]);
    expect(JSON.stringify(log.lines)).not.toContain('secret');
  });

  it('shows the body when told to, and of headers only the names', () => {
    log.lines.length = 0;
    send('log://orders?show-body=true&show-headers=true&level=warn');
    expect(log.lines[0]).toMatchObject({
      level: 'warn',
      facts: { body: '{"secret":"body"}', headers: ['Authorization'] },
    });
    expect(JSON.stringify(log.lines)).not.toContain('secret header');
  });

  it('tells the throughput of groups', async () => {
    log.lines.length = 0;
    const count = new LogComponent(log, clock)
      .endpoint(EndpointUri.parse('log://n?group-size=4'))
      .producer?.();
    for (let at = 0; at < 9; at++) {
      await count?.(exchange());
      await clock.advance(500);
    }
    expect(log.lines.map(({ facts }) => facts)).toEqual([
      { messages: 4, perSecond: 3 },
      { messages: 4, perSecond: 3 },
    ]);
  });
});
