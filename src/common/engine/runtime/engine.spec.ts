import { describe, expect, it } from 'vitest';
import { DirectComponent } from '../../../components/direct/index.js';
import { Component, type Consumer, type Endpoint } from '../api/component.js';
import { Interceptor, type StepInfo } from '../api/interceptor.js';
import { HelixError } from '../errors/helix-error.js';
import type { EndpointUri } from '../model/endpoint-uri.js';
import type { Exchange } from '../model/exchange.js';
import { settled } from '../testing/manual-clock.js';
import { workspaceOf } from '../testing/source.js';
import { makeEngine, startEngine } from '../testing/test-engine.js';

/** A trigger that notes when it starts and stops. */
class NotingComponent extends Component {
  readonly description = 'Notes when it is started.';
  readonly options = {};
  resets = 0;
  constructor(
    readonly scheme: string,
    private readonly notes: string[],
    private readonly edge: boolean,
    private readonly refusal: string | null = null,
  ) {
    super();
  }
  endpoint(uri: EndpointUri): Endpoint {
    const note = (what: string) => async (): Promise<void> => {
      this.notes.push(`${what} ${uri.path}`);
      if (what === 'start' && this.refusal !== null) throw new Error(this.refusal);
    };
    const consumer: Consumer = { start: note('start'), stop: note('stop'), address: `at ${uri.path}` };
    return { uri, edge: this.edge, consumer: () => consumer, reset: () => void this.resets++ };
  }
}

describe('starting', () => {
  it('starts inner consumers first and edges last, and stops in reverse', async () => {
    const notes: string[] = [];
    const { engine } = makeEngine({
      components: [new NotingComponent('outer', notes, true), new NotingComponent('inner', notes, false)],
    });
    const report = await engine.start(
      workspaceOf({
        workflows: [
          { id: 'a', from: 'outer://a' },
          { id: 'b', from: 'inner://b' },
          { id: 'c', from: 'inner://c', disabled: true },
          { id: 'd', from: 'inner://d' },
        ],
      }),
    );
    expect(report.started.map(({ workflowId, address }) => `${workflowId} ${address}`)).toEqual([
      'a at a',
      'b at b',
      'd at d',
    ]);
    expect(report.disabled).toEqual(['c']);
    await engine.stop({ timeoutMs: 1000 });
    expect(notes).toEqual(['start b', 'start d', 'start a', 'stop a', 'stop d', 'stop b']);
  });

  it('reports every problem of the workspace at once, each with its place', async () => {
    const { engine } = makeEngine({ components: [new DirectComponent()] });
    const workspace = workspaceOf({
      workflows: [
        {
          id: 'a',
          from: 'direct://a',
          steps: [
            { 'set-boddy': 1 },
            { target: 'direkt://b' },
            { target: 'direct://aa' },
            { filter: { starlang: '(' } },
          ],
        },
        { id: 'b', from: 'direct://a' },
        { id: 'a', from: 'test://other?wrong=1' },
      ],
    });
    const problems = engine.check(workspace);
    expect(problems.map(({ rule }) => rule).sort()).toEqual([
      'duplicate-consumer',
      'duplicate-id',
      'missing-target',
      'unknown-component',
      'unknown-step',
      'wrong-script',
    ]);
    expect(problems.find(({ rule }) => rule === 'unknown-step')).toMatchObject({ suggestion: 'set-body' });
    expect(problems.find(({ rule }) => rule === 'missing-target')).toMatchObject({
      suggestion: 'direct://a',
    });
    expect(problems.every(({ place }) => place.file === 'test.yaml')).toBe(true);
    await expect(engine.start(workspace)).rejects.toThrow(/6 problems:\n(.*\n){5}.*/);
    expect(engine.list()).toEqual([]);
  });

  it('stops what already runs where one trigger does not start, and says which', async () => {
    const notes: string[] = [];
    const { engine } = makeEngine({
      components: [
        new NotingComponent('good', notes, false),
        new NotingComponent('bad', notes, true, 'address already in use'),
      ],
    });
    const start = engine.start(
      workspaceOf({
        workflows: [
          { id: 'a', from: 'good://a' },
          { id: 'b', from: 'bad://b' },
        ],
      }),
    );
    await expect(start).rejects.toThrow(/start-failed: address already in use/);
    expect(notes).toContain('stop a');
    expect(engine.list()).toEqual([]);
  });

  it('does not start on a workspace that changes nothing when it is checked', async () => {
    const notes: string[] = [];
    const { engine } = makeEngine({ components: [new NotingComponent('inner', notes, false)] });
    expect(engine.check(workspaceOf({ workflows: [{ id: 'a', from: 'inner://a' }] }))).toEqual([]);
    expect(notes).toEqual([]);
  });
});

/** A promise that somebody else lets go. */
function waiting(): { readonly hold: Promise<void>; readonly release: () => void } {
  const gate = new EventTarget();
  const hold = new Promise<void>((resolve) => {
    gate.addEventListener('release', () => resolve());
  });
  return { hold, release: () => void gate.dispatchEvent(new Event('release')) };
}

describe('stopping', () => {
  it('lets exchanges run out and tells the progress each second', async () => {
    const { hold, release } = waiting();
    const { engine, clock, log } = await startEngine({
      processors: { slow: () => hold },
      workflows: [{ id: 'w', from: 'test://w', steps: [{ target: 'test://slow' }] }],
    });
    const exchange = engine.exchange('w', {});
    const run = engine.run('w', exchange);
    await settled();
    const stop = engine.stop({ timeoutMs: 10_000 });
    await clock.advance(2500);
    expect(log.messages('info').filter((line) => line === 'waiting for 1 exchange to run out')).toHaveLength(
      2,
    );
    release();
    expect(await stop).toEqual({ stuck: [] });
    await run;
    expect(exchange.isFailed()).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('aborts what still runs after the time and says where it stands', async () => {
    const { engine, clock } = await startEngine({
      processors: { stuck: () => new Promise<void>(() => undefined) },
      workflows: [{ id: 'w', from: 'test://w', steps: [{ id: 'hang', target: 'test://stuck' }] }],
    });
    const exchange = engine.exchange('w', {});
    const run = engine.run('w', exchange);
    await settled();
    const stop = engine.stop({ timeoutMs: 5000 });
    await clock.advance(5000);
    expect((await stop).stuck).toMatchObject([{ workflowId: 'w', stepId: 'hang', ageMs: 5000 }]);
    await run;
    expect(exchange.failure?.code).toBe('ENGINE.STOPPING');
    expect(clock.pending).toBe(0);
  });

  it('can start again after a stop', async () => {
    const workspace = workspaceOf({
      workflows: [{ id: 'w', from: 'test://w', steps: [{ 'set-body': 'done' }] }],
    });
    const { engine } = makeEngine();
    for (let round = 0; round < 2; round++) {
      await engine.start(workspace);
      const exchange = engine.exchange('w', {});
      await engine.run('w', exchange);
      expect(exchange.body).toBe('done');
      await engine.stop({ timeoutMs: 0 });
    }
  });
});

describe('restarting one workflow', () => {
  it('stops and starts it alone, and lets its endpoints forget', async () => {
    const notes: string[] = [];
    const component = new NotingComponent('inner', notes, false);
    const { engine } = makeEngine({ components: [component] });
    await engine.start(
      workspaceOf({
        workflows: [
          { id: 'a', from: 'inner://a' },
          { id: 'b', from: 'inner://b' },
        ],
      }),
    );
    notes.length = 0;
    await engine.restart('a');
    expect(notes).toEqual(['stop a', 'start a']);
    expect(component.resets).toBe(1);
    expect(engine.get('a')?.state).toBe('started');
    await expect(engine.restart('zzz')).rejects.toMatchObject({ code: 'ENGINE.UNKNOWN_WORKFLOW' });
  });
});

describe('a time-out', () => {
  const stuck = { stuck: (): Promise<void> => new Promise<void>(() => undefined) };

  it('ends a workflow whose step does not listen', async () => {
    const { engine, clock } = await startEngine({
      processors: stuck,
      workflows: [{ id: 'w', from: 'test://w', timeoutMs: 30_000, steps: [{ target: 'test://stuck' }] }],
    });
    const exchange = engine.exchange('w', {});
    const run = engine.run('w', exchange);
    await clock.advance(30_000);
    await run;
    expect(exchange.failure).toMatchObject({ code: 'ENGINE.TIMED_OUT' });
    expect(exchange.failure?.message).toContain('"w"');
    expect(engine.inFlight()).toEqual([]);
  });

  it('of a called workflow fails the call, and the caller may go on', async () => {
    const { engine, clock } = await startEngine({
      components: [new DirectComponent()],
      processors: stuck,
      workflows: [
        { id: 'inner', from: 'direct://inner', timeoutMs: 1000, steps: [{ target: 'test://stuck' }] },
        {
          id: 'outer',
          from: 'test://outer',
          steps: [{ target: 'direct://inner' }, { 'set-body': 'went on' }],
          'on-exception': [{ match: 'ENGINE.TIMED_OUT', continued: true }],
        },
      ],
    });
    const exchange = engine.exchange('outer', {});
    const run = engine.run('outer', exchange);
    await clock.advance(1000);
    await run;
    expect(exchange.failure).toBeNull();
    expect(exchange.body).toBe('went on');
    expect(clock.pending).toBe(0);
  });

  it.each([['inner'], ['middle']])(
    'of the %s of three workflows leaves the outermost unharmed',
    async (late) => {
      const timeout = (id: string): object => (id === late ? { timeoutMs: 1000 } : {});
      const { engine, clock } = await startEngine({
        components: [new DirectComponent()],
        processors: { ...stuck, wait: () => settled() },
        workflows: [
          { id: 'inner', from: 'direct://inner', steps: [{ target: 'test://stuck' }], ...timeout('inner') },
          {
            id: 'middle',
            from: 'direct://middle',
            steps: [{ target: 'direct://inner' }],
            ...timeout('middle'),
          },
          {
            id: 'outer',
            from: 'test://outer',
            steps: [{ target: 'direct://middle' }, { target: 'test://wait' }, { 'set-body': 'went on' }],
            'on-exception': [{ match: 'ENGINE.TIMED_OUT', continued: true }],
          },
        ],
      });
      const exchange = engine.exchange('outer', {});
      const { signal } = exchange;
      const run = engine.run('outer', exchange);
      await clock.advance(1000);
      await run;
      expect(exchange.failure).toBeNull();
      expect(exchange.body).toBe('went on');
      expect(exchange.signal).toBe(signal);
      expect(exchange.workflowId).toBe('outer');
      expect(engine.inFlight()).toEqual([]);
      expect(clock.pending).toBe(0);
    },
  );

  it('leaves no timer and no listener behind when the work is done in time', async () => {
    const { engine, clock } = await startEngine({
      workflows: [{ id: 'w', from: 'test://w', timeoutMs: 30_000, steps: [{ 'set-body': 1 }] }],
    });
    await engine.run('w', engine.exchange('w', { signal: new AbortController().signal }));
    expect(clock.pending).toBe(0);
  });

  it('a caller that leaves ends the work', async () => {
    const caller = new AbortController();
    const { engine } = await startEngine({
      processors: stuck,
      workflows: [{ id: 'w', from: 'test://w', steps: [{ target: 'test://stuck' }] }],
    });
    const exchange = engine.exchange('w', { signal: caller.signal });
    const run = engine.run('w', exchange);
    await settled();
    caller.abort();
    await run;
    expect(exchange.failure?.code).toBe('ENGINE.CANCELLED');
  });
});

describe('the directory', () => {
  const validator = {
    compile: () => (value: unknown) =>
      (value as { city?: unknown } | null)?.city === undefined
        ? [{ path: '/city', code: 'required', message: 'is required' }]
        : [],
  };

  it('checks the input-schema of what it runs', async () => {
    const { engine } = await startEngine({
      validator,
      workflows: [
        { id: 'w', from: 'test://w', 'input-schema': { type: 'object' }, steps: [{ 'set-body': 'ran' }] },
      ],
    });
    const bad = engine.exchange('w', { body: {} });
    await engine.run('w', bad);
    expect(bad.failure).toMatchObject({
      code: 'TOOL.INVALID_ARGUMENTS',
      message: 'workflow "w" input validation failed: /city is required',
      fields: [{ path: '/city', code: 'required', message: 'is required' }],
    });
    const good = engine.exchange('w', { body: { city: 'Bern' } });
    await engine.run('w', good);
    expect(good.body).toBe('ran');
  });

  it('answers an unknown workflow as a failure, and refuses an exchange for it', async () => {
    const { engine } = await startEngine({ workflows: [{ id: 'w', from: 'test://w' }] });
    expect(() => engine.exchange('v', {})).toThrow(HelixError);
    const exchange = engine.exchange('w', {});
    await engine.run('v', exchange);
    expect(exchange.failure?.code).toBe('ENGINE.UNKNOWN_WORKFLOW');
  });

  it('tells who listens of a start and a restart, until they stop listening', async () => {
    const { engine } = makeEngine();
    let changes = 0;
    const forget = engine.onChange(() => changes++);
    await engine.start(workspaceOf({ workflows: [{ id: 'w', from: 'test://w' }] }));
    await engine.restart('w');
    forget();
    await engine.restart('w');
    expect(changes).toBe(2);
  });
});

describe('a request from outside a workflow', () => {
  it('runs through the chain and answers failures on the exchange', async () => {
    const { engine, counters } = await startEngine({
      processors: { echo: (exchange) => void (exchange.body = ['echo', exchange.body]) },
    });
    expect((await engine.request('test://echo', { body: 1 })).body).toEqual(['echo', 1]);
    expect((await engine.request('nowhere://x', {})).failure?.code).toBe('WORKSPACE.UNKNOWN_COMPONENT');
    expect((await engine.request('no uri', {})).failure?.code).toBe('WORKSPACE.INVALID');
    expect(counters.snapshot()).toMatchObject([
      { workflowId: 'request', stepId: 'test://echo', attempts: 1, failures: 0 },
      { failures: 1 },
      { failures: 1 },
    ]);
  });

  it('is the same step each time, so that what counts by step finds it again', async () => {
    const seen = new Set<StepInfo>();
    class Noting extends Interceptor {
      readonly name = 'noting';
      intercept(_: Exchange, step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
        seen.add(step);
        return next();
      }
    }
    const { engine } = await startEngine({
      processors: { a: () => undefined, b: () => undefined },
      interceptors: [new Noting()],
    });
    for (const uri of ['test://a', 'test://b', 'test://a']) await engine.request(uri, {});
    expect([...seen].map(({ stepId }) => stepId)).toEqual(['test://a', 'test://b']);
  });
});
