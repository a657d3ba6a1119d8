import { describe, expect, it } from 'vitest';
import type { Processor } from '../../common/engine/api/processor.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ManualClock, settled } from '../../common/engine/testing/manual-clock.js';
import { MemoryLog } from '../../common/engine/testing/memory-log.js';
import { workspaceOf, type WorkflowInit } from '../../common/engine/testing/source.js';
import { makeEngine, startEngine } from '../../common/engine/testing/test-engine.js';
import { SedaComponent } from './seda.component.js';

let count = 0;
const ids = { next: () => `copy-${++count}` };

describeComponent(
  () => new SedaComponent({ clock: new ManualClock(), log: new MemoryLog(), ids }),
  'seda://name',
  'seda://name?size=10&concurrent-consumers=2',
  'seda://name?wait=always&timeout=5s&block-when-full=true',
);

async function start(
  workflows: readonly WorkflowInit[],
  processors: Readonly<Record<string, Processor>> = {},
) {
  const clock = new ManualClock();
  const log = new MemoryLog();
  const seda = new SedaComponent({ clock, log, ids });
  const made = await startEngine({ components: [seda], processors, clock, workflows });
  return { ...made, sedaLog: log };
}

/** A processor that holds each message until it is let go. */
function gate() {
  const held: { readonly body: unknown; open(): void }[] = [];
  const processor: Processor = (exchange) =>
    new Promise((resolve) => {
      held.push({ body: exchange.body, open: resolve });
    });
  return { held, processor };
}

const reader = (steps: readonly unknown[], query = ''): WorkflowInit => ({
  id: 'reader',
  from: `seda://q${query}`,
  steps,
});

describe('seda://', () => {
  it('hands over a copy: what the reader changes never shows at the sender', async () => {
    const seen: unknown[] = [];
    const { engine } = await start(
      [{ id: 'w', from: 'test://w', steps: [{ target: 'seda://q' }] }, reader([{ target: 'test://change' }])],
      {
        change: (exchange) => {
          (exchange.body as { nested: { n: number } }).nested.n = 2;
          exchange.headers.set('x', 'reader');
          seen.push(exchange.id);
        },
      },
    );
    const exchange = engine.exchange('w', {
      pattern: 'InOnly',
      body: { nested: { n: 1 } },
      headers: { x: 'sender' },
    });
    await engine.run('w', exchange);
    expect(seen).toEqual([]);
    await settled();
    expect(seen).toHaveLength(1);
    expect(seen).not.toContain(exchange.id);
    expect(exchange.body).toEqual({ nested: { n: 1 } });
    expect(exchange.headers.get('x')).toBe('sender');
  });

  it('brings back body and headers where a reply is expected, and the properties stay the own', async () => {
    const { engine, clock } = await start([
      {
        id: 'w',
        from: 'test://w',
        steps: [{ target: 'seda://q' }, { 'set-body': { starlang: 'payload + header("by")' } }],
      },
      reader([
        { 'set-body': { starlang: 'payload + "!"' } },
        { 'set-header': { name: 'by', value: 'reader' } },
        { 'set-property': { name: 'p', value: 1 } },
      ]),
    ]);
    const exchange = engine.exchange('w', { body: 'hi' });
    await engine.run('w', exchange);
    expect(exchange.body).toBe('hi!reader');
    expect(exchange.property('p')).toBeUndefined();
    expect(engine.inFlight()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['never', 'InOut', 'sent'],
    ['always', 'InOnly', 'read'],
    ['if-reply-expected', 'InOnly', 'sent'],
  ] as const)('wait=%s with %s goes on with what was %s', async (wait, pattern, body) => {
    const { engine } = await start([
      { id: 'w', from: 'test://w', steps: [{ target: `seda://q?wait=${wait}` }] },
      reader([{ 'set-body': 'read' }]),
    ]);
    const exchange = engine.exchange('w', { pattern, body: 'sent' });
    await engine.run('w', exchange);
    expect(exchange.body).toBe(body);
  });

  it('a failure of the reader is a failure of the step that waits, and of nobody else', async () => {
    const { engine, log } = await start([
      { id: 'w', from: 'test://w', steps: [{ target: 'seda://q' }] },
      reader([{ throw: { value: 'no such order' } }]),
    ]);
    const waiting = engine.exchange('w', {});
    await engine.run('w', waiting);
    expect(waiting.failure).toMatchObject({ code: 'ENGINE.THROWN', message: 'no such order' });
    log.lines.length = 0;
    const leaving = engine.exchange('w', { pattern: 'InOnly' });
    await engine.run('w', leaving);
    await settled();
    expect(leaving.failure).toBeNull();
    expect(log.messages('warn')).toEqual(['workflow failed: no such order']);
  });

  it('works on as many at once as told, in the order they came', async () => {
    const { held, processor } = gate();
    const { engine } = await start(
      [
        { id: 'w', from: 'test://w', steps: [{ target: 'seda://q' }] },
        reader([{ target: 'test://gate' }], '?concurrent-consumers=2'),
      ],
      { gate: processor },
    );
    for (const body of [1, 2, 3, 4]) {
      await engine.run('w', engine.exchange('w', { pattern: 'InOnly', body }));
    }
    await settled();
    expect(held.map(({ body }) => body)).toEqual([1, 2]);
    held[1]?.open();
    await settled();
    expect(held.map(({ body }) => body)).toEqual([1, 2, 3]);
    for (let at = 0; at < 4; at++) {
      held[at]?.open();
      await settled();
    }
    expect(engine.inFlight()).toEqual([]);
  });

  it('fails at once when full, as too much work', async () => {
    const { held, processor } = gate();
    const { engine } = await start(
      [
        { id: 'w', from: 'test://w', steps: [{ target: 'seda://q' }] },
        reader([{ target: 'test://gate' }], '?size=1'),
      ],
      { gate: processor },
    );
    const outcomes = [];
    for (let at = 0; at < 3; at++) {
      const exchange = engine.exchange('w', { pattern: 'InOnly' });
      await engine.run('w', exchange);
      await settled();
      outcomes.push(exchange.failure?.code ?? 'accepted');
    }
    expect(outcomes).toEqual(['accepted', 'accepted', 'ENGINE.OVERLOADED']);
    held[0]?.open();
    await settled();
    held[1]?.open();
    await settled();
    expect(held).toHaveLength(2);
  });

  it('block-when-full waits for a place, at most as long as the time-out', async () => {
    const { held, processor } = gate();
    const { engine, clock } = await start(
      [
        { id: 'w', from: 'test://w', steps: [{ target: 'seda://q?block-when-full=true&timeout=5s' }] },
        reader([{ target: 'test://gate' }], '?size=1'),
      ],
      { gate: processor },
    );
    const runs = [1, 2, 3, 4].map((body) => {
      const exchange = engine.exchange('w', { pattern: 'InOnly', body });
      return { exchange, done: engine.run('w', exchange) };
    });
    await settled();
    expect(held.map(({ body }) => body)).toEqual([1]);
    held[0]?.open();
    await settled();
    await Promise.all(runs.slice(0, 3).map(({ done }) => done));
    await clock.advance(5000);
    await runs[3]?.done;
    expect(runs.map(({ exchange }) => exchange.failure?.code ?? 'accepted')).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'ENGINE.TIMED_OUT',
    ]);
    for (const at of [1, 2, 3]) {
      held[at]?.open();
      await settled();
    }
    expect(held.map(({ body }) => body)).toEqual([1, 2, 3]);
    expect(clock.pending).toBe(0);
  });

  it('takes back a message that timed out before it was begun; one begun runs on', async () => {
    const { held, processor } = gate();
    const { engine, clock } = await start(
      [
        { id: 'w', from: 'test://w', steps: [{ target: 'seda://q?timeout=1s' }] },
        reader([{ target: 'test://gate' }]),
      ],
      { gate: processor },
    );
    const [begun, queued] = [
      engine.exchange('w', { body: 'begun' }),
      engine.exchange('w', { body: 'queued' }),
    ];
    const done = Promise.all([engine.run('w', begun), engine.run('w', queued)]);
    await clock.advance(1000);
    await done;
    expect(begun.failure).toMatchObject({ code: 'ENGINE.TIMED_OUT', details: { begun: true } });
    expect(queued.failure).toMatchObject({ code: 'ENGINE.TIMED_OUT', details: { begun: false } });
    held[0]?.open();
    await settled();
    expect(held.map(({ body }) => body)).toEqual(['begun']);
    expect(engine.inFlight()).toEqual([]);
    expect(begun.body).toBe('begun');
  });

  it('lets a reader go that waits for its own queue, and takes back what it waits for', async () => {
    const { engine, clock } = await start(
      [
        { id: 'w', from: 'test://w', steps: [{ target: 'seda://q?timeout=0' }] },
        reader([{ target: { starlang: 'payload' } }]),
      ],
      { fine: (exchange) => void (exchange.body = 'fine') },
    );
    const circle = engine.exchange('w', { body: 'seda://q?timeout=5s' });
    const next = engine.exchange('w', { body: 'test://fine' });
    const runs = [engine.run('w', circle), engine.run('w', next)];
    await settled();
    expect(next.body).toBe('test://fine');
    await clock.advance(5000);
    await Promise.all(runs);
    expect(circle.failure).toMatchObject({ code: 'ENGINE.TIMED_OUT', details: { begun: false } });
    expect(next.body).toBe('fine');
    expect([engine.inFlight(), clock.pending]).toEqual([[], 0]);
  });

  it('takes back what is queued when the caller leaves, and leaves alone what nobody waits for', async () => {
    const { held, processor } = gate();
    const { engine } = await start(
      [{ id: 'w', from: 'test://w', steps: [{ target: 'seda://q' }] }, reader([{ target: 'test://gate' }])],
      { gate: processor },
    );
    const caller = new AbortController();
    const send = (body: string, pattern: 'InOnly' | 'InOut') => {
      const exchange = engine.exchange('w', { body, pattern, signal: caller.signal });
      return { exchange, done: engine.run('w', exchange) };
    };
    await send('first', 'InOnly').done;
    const waiting = send('waits', 'InOut');
    await send('last', 'InOnly').done;
    await settled();
    caller.abort();
    await waiting.done;
    expect(waiting.exchange.failure?.code).toBe('ENGINE.CANCELLED');
    held[0]?.open();
    await settled();
    expect(held.map(({ body }) => body)).toEqual(['first', 'last']);
    held[1]?.open();
    await settled();
  });

  it('multiple-consumers gives each workflow every message', async () => {
    const seen: string[] = [];
    const note: Processor = (exchange) => void seen.push(`${exchange.workflowId}:${String(exchange.body)}`);
    const { engine } = await start(
      [
        { id: 'w', from: 'test://w', steps: [{ target: 'seda://news' }] },
        ...['a', 'b'].map((id) => ({
          id,
          from: 'seda://news?multiple-consumers=true',
          steps: [{ target: 'test://note' }, { 'set-body': 'changed' }],
        })),
      ],
      { note },
    );
    const exchange = engine.exchange('w', { body: 'n' });
    await engine.run('w', exchange);
    expect(seen.toSorted()).toEqual(['a:n', 'b:n']);
    expect(exchange.body).toBe('n');
  });

  it('runs out when the engine stops: queued messages are handed on, chains of queues too', async () => {
    const seen: unknown[] = [];
    const { engine } = await start(
      [
        { id: 'w', from: 'test://w', steps: [{ target: 'seda://q' }] },
        reader([{ target: 'test://slow' }, { target: 'seda://second' }]),
        { id: 'second', from: 'seda://second', steps: [{ target: 'test://note' }] },
      ],
      { slow: () => settled(), note: (exchange) => void seen.push(exchange.body) },
    );
    for (const body of [1, 2, 3]) {
      await engine.run('w', engine.exchange('w', { pattern: 'InOnly', body }));
    }
    const { stuck } = await engine.stop({ timeoutMs: 60_000 });
    expect(stuck).toEqual([]);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('what is still queued after the time to stop is told, and whoever waits hears of it', async () => {
    const { processor } = gate();
    const { engine, sedaLog, clock } = await start(
      [{ id: 'w', from: 'test://w', steps: [{ target: 'seda://q' }] }, reader([{ target: 'test://gate' }])],
      { gate: processor },
    );
    await engine.run('w', engine.exchange('w', { pattern: 'InOnly' }));
    await engine.run('w', engine.exchange('w', { pattern: 'InOnly' }));
    await settled();
    const stopping = engine.stop({ timeoutMs: 100 });
    await clock.advance(100);
    await clock.advance(1000);
    expect((await stopping).stuck).toHaveLength(1);
    expect(sedaLog.lines).toMatchObject([{ level: 'warn', facts: { messages: 1 } }]);
    expect(clock.pending).toBe(0);
  });

  it('keeps what is queued over a restart of the reader', async () => {
    const { held, processor } = gate();
    const { engine } = await start(
      [{ id: 'w', from: 'test://w', steps: [{ target: 'seda://q' }] }, reader([{ target: 'test://gate' }])],
      { gate: processor },
    );
    for (const body of [1, 2]) await engine.run('w', engine.exchange('w', { pattern: 'InOnly', body }));
    await settled();
    const restarting = engine.restart('reader');
    held[0]?.open();
    await restarting;
    await settled();
    expect(held.map(({ body }) => body)).toEqual([1, 2]);
    held[1]?.open();
    await settled();
  });

  it.each([
    [[{ id: 'w', from: 'test://w', steps: [{ target: 'seda://nobody' }] }], 'missing-target'],
    [
      [
        { id: 'a', from: 'seda://q' },
        { id: 'b', from: 'seda://q' },
      ],
      'duplicate-consumer',
    ],
    [[{ id: 'a', from: 'seda://q?timeout=1s' }], 'wrong-option'],
    [[{ id: 'a', from: 'seda://q', steps: [{ target: 'seda://q?size=5' }] }], 'wrong-option'],
  ])('refuses %j: %s', (workflows, rule) => {
    const seda = new SedaComponent({ clock: new ManualClock(), log: new MemoryLog(), ids });
    const { engine } = makeEngine({ components: [seda] });
    const problems = engine.check(workspaceOf({ workflows }));
    expect(problems.map((problem) => problem.rule)).toContain(rule);
  });

  it('a computed target nobody listens on fails at once and says so', async () => {
    const { engine } = await start([
      { id: 'w', from: 'test://w', steps: [{ target: { starlang: '"seda://" + payload' } }] },
    ]);
    const exchange = engine.exchange('w', { body: 'nobody' });
    await engine.run('w', exchange);
    expect(exchange.failure).toMatchObject({ code: 'ENGINE.NO_CONSUMER' });
  });
});
