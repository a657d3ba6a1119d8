import { describe, expect, it } from 'vitest';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { startEngine, type TestEngineInit } from '../../common/engine/testing/test-engine.js';
import { SedaComponent } from '../seda/index.js';
import { DirectComponent } from '../direct/index.js';
import { ManualClock } from '../../common/engine/testing/manual-clock.js';
import { TimerComponent } from '../timer/index.js';
import { DeadLetterComponent, type NewDeadLetter } from './dead-letter.component.js';
import { keepBody, keepHeaders } from './keep-message.js';

const quiet = { write: () => {} };

describeComponent(() => new DeadLetterComponent({ keep: async () => {} }, quiet), 'dead-letter://orders');

async function engineWith(init: Pick<TestEngineInit, 'workflows' | 'error-handler' | 'processors'>) {
  const letters: NewDeadLetter[] = [];
  const clock = new ManualClock();
  let count = 0;
  const component = new DeadLetterComponent(
    { keep: async (letter) => void letters.push(letter) },
    { ...quiet, redact: (text) => text.replaceAll('hunter2', '[secret]') },
  );
  const ids = { next: () => `seda-${++count}` };
  const made = await startEngine({
    ...init,
    clock,
    components: [
      component,
      new DirectComponent(),
      new TimerComponent(clock),
      new SedaComponent({ clock, ids, log: quiet }),
    ],
  });
  return { ...made, clock, letters };
}

const text = ({ body }: NewDeadLetter): string => body.bytes.toString();

describe('a dead letter', () => {
  it('holds the message as the workflow received it, and secrets that the log knows nowhere', async () => {
    const { engine, letters } = await engineWith({
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          'error-handler': { 'dead-letter': 'dead-letter://orders' },
          steps: [{ 'set-body': 'changed' }, { id: 'boom', throw: 'no hunter2' }],
        },
      ],
    });
    const exchange = engine.exchange('w', { body: { n: 1 }, headers: { 'X-Api-Key': 'k', colour: 'red' } });
    await engine.run('w', exchange);
    expect(letters).toMatchObject([
      {
        queue: 'orders',
        workflowId: 'w',
        failedAt: { workflowId: 'w', stepId: 'boom' },
        error: { code: 'ENGINE.THROWN', message: 'no [secret]' },
        pattern: 'InOut',
        headers: { 'X-Api-Key': '[secret]', colour: 'red' },
      },
    ]);
    expect(letters.map(text)).toEqual(['{"n":1}']);
  });

  it('is not written where a retry further out succeeds, else once, by the outermost', async () => {
    let down = 1;
    const flaky = (): void => {
      if (down-- > 0) throw new HelixError('MCP.CONNECTION_LOST', 'down');
    };
    const own = { 'dead-letter': 'dead-letter://all' };
    const { engine, clock, letters } = await engineWith({
      processors: { flaky },
      'error-handler': { retries: 1, delay: 1, ...own },
      workflows: [
        { id: 'outer', from: 'test://outer', steps: [{ target: 'direct://inner' }] },
        { id: 'inner', from: 'direct://inner', 'error-handler': own, steps: [{ target: 'test://flaky' }] },
      ],
    });
    const send = async (body: string) => {
      const exchange = engine.exchange('outer', { body });
      const running = engine.run('outer', exchange);
      await clock.advance(1);
      await running;
      return exchange.failure?.code;
    };
    expect([await send('first'), letters]).toEqual([undefined, []]);
    down = 2;
    expect(await send('second')).toBe('MCP.CONNECTION_LOST');
    expect(letters).toMatchObject([{ workflowId: 'outer', failedAt: { workflowId: 'inner' }, attempts: 2 }]);
    expect(letters.map(text)).toEqual(['second']);
  });

  it('is one for a message whose branches fail', async () => {
    const { engine, letters } = await engineWith({
      'error-handler': { 'dead-letter': 'dead-letter://all' },
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          steps: [{ split: { starlang: 'payload', steps: [{ throw: 'each' }] } }],
        },
      ],
    });
    await engine.run('w', engine.exchange('w', { body: [1, 2, 3] }));
    expect(letters.map(text)).toEqual(['[1,2,3]']);
  });

  it('is written of what nobody waits for, not of what somebody does, nor of a tick', async () => {
    const { engine, clock, letters } = await engineWith({
      workflows: [
        { id: 'queue', from: 'seda://queue', steps: [{ throw: 'down' }] },
        { id: 'tick', from: 'timer://tick?repeat-count=1', steps: [{ throw: 'down' }] },
        { id: 'asked', from: 'test://asked', steps: [{ target: 'seda://queue' }] },
        { id: 'left', from: 'test://left', steps: [{ target: 'seda://queue?wait=never' }] },
      ],
    });
    await engine.run('asked', engine.exchange('asked', { body: 'asked' }));
    await clock.advance(2000);
    expect(letters).toEqual([]);
    await engine.run('left', engine.exchange('left', { body: 'left' }));
    await engine.stop({ timeoutMs: 1000 });
    expect(letters).toMatchObject([{ queue: 'queue', workflowId: 'queue', pattern: 'InOnly' }]);
  });
});

describe('what is kept of a message', () => {
  it.each([
    ['text', 'ä', 'text', 'ä', null],
    ['nothing', null, 'json', 'null', null],
    ['bytes', new Uint8Array([0, 255]), 'bytes', Buffer.from([0, 255]).toString(), null],
    ['text too long', 'äää', 'text', 'ä', 'The body had 6 bytes; the first 3 are kept (max-body-bytes).'],
  ])('%s', (_, body, kind, shown, note) => {
    const kept = keepBody(body, 3 + (body === null ? 1 : 0));
    expect({ ...kept, bytes: kept.bytes.toString() }).toMatchObject({ kind, bytes: shown, note });
  });

  it('of a body that contains itself there is a note', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(keepBody(circle, 10)).toMatchObject({
      size: 0,
      note: expect.stringContaining('no form') as string,
    });
  });

  it('secrets are masked within a map of headers too, and what is the engine’s is left out', () => {
    const kept = keepHeaders({
      HelixToolID: 'x',
      headers: { cookie: 'a=b', accept: '*/*' },
      queryParams: { token: 't', page: '1' },
    });
    expect(kept).toEqual({
      headers: { cookie: '[secret]', accept: '*/*' },
      queryParams: { token: '[secret]', page: '1' },
    });
  });
});

describe('the name', () => {
  it.each(['dead-letter://', 'dead-letter://a b', `dead-letter://${'x'.repeat(65)}`])(
    '%s is refused',
    (uri) => {
      const component = new DeadLetterComponent({ keep: async () => {} }, quiet);
      expect(() => component.endpoint(EndpointUri.parse(uri))).toThrow(
        expect.objectContaining({ code: 'WORKSPACE.INVALID' }) as HelixError,
      );
    },
  );
});
