import { describe, expect, it } from 'vitest';
import { DirectComponent } from '../../../components/direct/index.js';
import { SedaComponent } from '../../../components/seda/index.js';
import { ToolComponent } from '../../../components/tool/index.js';
import { Component, type Endpoint } from '../api/component.js';
import type { EndpointUri } from '../model/endpoint-uri.js';
import { ManualClock, settled } from '../testing/manual-clock.js';
import { MemoryLog } from '../testing/memory-log.js';
import { ScriptLanguage } from '../testing/script-language.js';
import { workspaceOf, type WorkspaceInit } from '../testing/source.js';
import { makeEngine, startEngine, type TestEngine } from '../testing/test-engine.js';

/** `edge://name`: notes its starts and stops; a name in `broken` does not start. */
class EdgeComponent extends Component {
  readonly scheme = 'edge';
  readonly description = 'Notes when it is started and stopped.';
  readonly options = {};
  readonly notes: string[] = [];
  readonly broken = new Set<string>();

  endpoint(uri: EndpointUri): Endpoint {
    const start = async (): Promise<void> => {
      if (this.broken.has(uri.path)) throw new Error(`${uri.path} is taken`);
      this.notes.push(`start ${uri.path}`);
    };
    const stop = async (): Promise<void> => void this.notes.push(`stop ${uri.path}`);
    return { uri, edge: true, consumer: () => ({ start, stop }) };
  }
}

type Written = Omit<WorkspaceInit, 'interceptors'>;

/** A gate that steps wait at. */
class Gate {
  readonly #released: Promise<void>;
  release: () => void = () => undefined;
  waiting = 0;
  constructor() {
    this.#released = new Promise((resolve) => (this.release = resolve));
  }
  readonly hold = async (): Promise<void> => {
    this.waiting++;
    await this.#released;
  };
}

const body = async ({ engine }: TestEngine, id: string, given: unknown = null): Promise<unknown> => {
  const exchange = engine.exchange(id, { body: given });
  await engine.run(id, exchange);
  return exchange.failure?.code ?? exchange.body;
};

/** `outer` waits at the gate and then calls `inner`, which says its name. */
const calling = (inner: string, more: WorkspaceInit['workflows'] = []): Written => ({
  workflows: [
    { id: 'outer', from: 'direct://outer', steps: [{ target: 'test://gate' }, { target: 'direct://inner' }] },
    { id: 'inner', from: 'direct://inner', steps: [{ 'set-body': inner }] },
    ...more,
  ],
});

const tapped = (inner: string): Written => ({
  workflows: [
    { id: 'w', from: 'direct://w', steps: [{ 'wire-tap': 'direct://tapped' }] },
    {
      id: 'tapped',
      from: 'direct://tapped',
      steps: [{ target: 'test://gate' }, { target: 'direct://inner' }, { target: 'test://see' }],
    },
    { id: 'inner', from: 'direct://inner', steps: [{ 'set-body': inner }] },
  ],
});

const grouping = (inner: string): Written => ({
  workflows: [
    {
      id: 'w',
      from: 'direct://w',
      steps: [{ aggregate: { size: 2, steps: [{ target: 'direct://inner' }, { target: 'test://see' }] } }],
    },
    { id: 'inner', from: 'direct://inner', steps: [{ 'set-property': { name: 'by', value: inner } }] },
  ],
});

const edges = (...ids: string[]): Written => ({
  workflows: ids.map((id) => ({ id, from: `edge://${id}` })),
});

const guarded = (retries: number): Written => ({
  'error-handler': { retries },
  workflows: [
    { id: 'heir', from: 'test://heir' },
    { id: 'own', from: 'test://own', 'error-handler': { retries: 1 } },
  ],
});

const asking = (type: string): Written => ({
  tools: [{ id: 't', input: { n: { type, required: true } }, steps: [{ 'set-body': type }] }],
  workflows: [{ id: 'w', from: 'direct://w', steps: [{ target: 'test://gate' }, { target: 'tool://t' }] }],
});

const reading = (reader: string, says: string): Written => ({
  workflows: [
    { id: 'send', from: 'direct://send', steps: [{ target: 'seda://q?wait=never' }] },
    {
      id: reader,
      from: 'seda://q',
      steps: [
        { target: 'test://gate' },
        { 'set-property': { name: 'by', value: says } },
        { target: 'test://see' },
      ],
    },
  ],
});

describe('a reload', () => {
  it('lets what is on its way finish on the version it began on; what comes uses the new one', async () => {
    const gate = new Gate();
    const made = await startEngine({
      components: [new DirectComponent()],
      processors: { gate: () => gate.hold() },
      ...calling('one'),
    });
    const { engine } = made;
    const first = body(made, 'outer');
    const report = await engine.reload(workspaceOf(calling('two')));
    expect(report).toMatchObject({
      version: 2,
      added: [],
      changed: ['inner'],
      removed: [],
      unchanged: ['outer'],
    });
    const second = body(made, 'outer');
    await engine.reload(workspaceOf(calling('three')));
    const third = body(made, 'outer');
    expect(gate.waiting).toBe(3);
    gate.release();
    expect(await Promise.all([first, second, third])).toEqual(['one', 'two', 'three']);
    expect(await body(made, 'inner')).toBe('three');
    expect(engine.statuses()).toMatchObject([
      { id: 'outer', version: 1, counts: { started: 3, completed: 3, inFlight: 0 } },
      { id: 'inner', version: 3, counts: { started: 4, completed: 4, inFlight: 0 } },
    ]);
    await engine.stop({ timeoutMs: 0 });
  });

  it('keeps a copy that goes its own way on the version of what it was copied from', async () => {
    const gate = new Gate();
    const seen: unknown[] = [];
    const made = await startEngine({
      components: [new DirectComponent()],
      processors: { gate: () => gate.hold(), see: (exchange) => void seen.push(exchange.body) },
      ...tapped('one'),
    });
    await body(made, 'w');
    await expect.poll(() => gate.waiting).toBe(1);
    await made.engine.reload(workspaceOf(tapped('two')));
    gate.release();
    await expect.poll(() => seen).toEqual(['one']);
    await made.engine.stop({ timeoutMs: 0 });
  });

  it('begins anew what was held back longer than its version lived', async () => {
    const seen: unknown[] = [];
    const made = await startEngine({
      components: [new DirectComponent()],
      processors: { see: (exchange) => void seen.push([exchange.property('by'), exchange.body]) },
      ...grouping('one'),
    });
    await body(made, 'w', 1);
    await made.engine.reload(workspaceOf(grouping('two')));
    await settled();
    await body(made, 'w', 2);
    await expect.poll(() => seen).toEqual([['two', [1, 2]]]);
    await made.engine.stop({ timeoutMs: 0 });
  });

  it('starts and stops what changed and nothing else, wherever in the file it stands', async () => {
    const edge = new EdgeComponent();
    const { engine } = await startEngine({ components: [edge], ...edges('a', 'b', 'c') });
    edge.notes.length = 0;
    expect(await engine.reload(workspaceOf(edges('d', 'c', 'a')))).toMatchObject({
      added: ['d'],
      removed: ['b'],
      unchanged: ['c', 'a'],
    });
    await settled();
    expect(edge.notes).toEqual(['start d', 'stop b']);
    expect(engine.list().map(({ id }) => id)).toEqual(['d', 'c', 'a']);
    const again = await engine.reload(workspaceOf(edges('d', 'c', 'a')));
    expect(again).toMatchObject({ version: 2, added: [], changed: [], removed: [] });
    expect(engine.version).toBe(2);
    await engine.stop({ timeoutMs: 0 });
  });

  it('changes every workflow that inherits what the workspace says for all', async () => {
    const { engine } = await startEngine(guarded(0));
    expect(await engine.reload(workspaceOf(guarded(5)))).toMatchObject({
      changed: ['heir'],
      unchanged: ['own'],
    });
    await engine.stop({ timeoutMs: 0 });
  });

  it('leaves what runs as it is where the new version has problems, and tells all of them', async () => {
    const made = await startEngine({
      components: [new DirectComponent()],
      processors: { gate: () => undefined },
      ...calling('one'),
    });
    const broken = workspaceOf({
      workflows: [
        { id: 'outer', from: 'direct://outer', steps: [{ target: 'direct://gone' }, { 'set-boddy': 1 }] },
      ],
    });
    await expect(made.engine.reload(broken)).rejects.toThrow(/2 problems:\n(.*\n?){2}/);
    expect(made.engine.version).toBe(1);
    expect(await body(made, 'inner')).toBe('one');
    await made.engine.stop({ timeoutMs: 0 });
  });

  it('takes everything back where one trigger does not start', async () => {
    const edge = new EdgeComponent();
    const made = await startEngine({
      components: [edge, new DirectComponent()],
      workflows: [
        { id: 'a', from: 'edge://a' },
        { id: 'b', from: 'direct://b', steps: [{ 'set-body': 'old' }] },
      ],
    });
    edge.notes.length = 0;
    edge.broken.add('bad').add('worse');
    const next = workspaceOf({
      workflows: [
        { id: 'a', from: 'edge://a2' },
        { id: 'b', from: 'direct://b', steps: [{ 'set-body': 'new' }] },
        { id: 'c', from: 'edge://bad' },
        { id: 'd', from: 'edge://worse' },
      ],
    });
    await expect(made.engine.reload(next)).rejects.toThrow(/bad is taken\n.*worse is taken/);
    expect(edge.notes).toEqual(['start a2', 'stop worse', 'stop bad', 'stop a2']);
    expect(await body(made, 'b')).toBe('old');
    edge.broken.clear();
    await made.engine.reload(next);
    expect(await body(made, 'b')).toBe('new');
    await made.engine.stop({ timeoutMs: 0 });
  });

  it('lets an exchange call what its version had and the new one has not', async () => {
    const gate = new Gate();
    const made = await startEngine({
      components: [new DirectComponent(), new ToolComponent(new ScriptLanguage())],
      processors: { gate: () => gate.hold() },
      tools: [{ id: 'lookup', steps: [{ 'set-body': 'found' }] }],
      workflows: [
        {
          id: 'w',
          from: 'direct://w',
          steps: [{ target: 'test://gate' }, { target: 'tool://lookup' }],
        },
      ],
    });
    const { engine } = made;
    const running = body(made, 'w', {});
    await engine.reload(workspaceOf({ workflows: [{ id: 'x', from: 'direct://x' }] }));
    expect(engine.list().map(({ id }) => id)).toEqual(['x']);
    expect((await engine.request('tool://lookup', { body: {} })).failure?.code).toBe('TOOL.UNKNOWN_TOOL');
    gate.release();
    expect(await running).toBe('found');
    await engine.stop({ timeoutMs: 0 });
  });

  it('judges the arguments of a tool by the version of the exchange', async () => {
    const gate = new Gate();
    const made = await startEngine({
      components: [new DirectComponent(), new ToolComponent(new ScriptLanguage())],
      processors: { gate: () => gate.hold() },
      ...asking('number'),
    });
    const before = body(made, 'w', { n: 1 });
    await made.engine.reload(workspaceOf(asking('string')));
    const after = body(made, 'w', { n: 1 });
    gate.release();
    expect(await Promise.all([before, after])).toEqual(['number', 'TOOL.INVALID_ARGUMENTS']);
    await made.engine.stop({ timeoutMs: 0 });
  });
});

/** Three messages sent, the first of them begun. */
const queueOfThree = async () => {
  const clock = new ManualClock();
  const gate = new Gate();
  const seen: string[] = [];
  let count = 0;
  const made = await startEngine({
    clock,
    components: [
      new DirectComponent(),
      new SedaComponent({ clock, ids: { next: () => `s${++count}` }, log: new MemoryLog() }),
    ],
    processors: {
      gate: () => gate.hold(),
      see: (exchange) => void seen.push(`${String(exchange.body)} by ${String(exchange.property('by'))}`),
    },
    ...reading('reader', 'one'),
  });
  for (const n of [1, 2, 3]) await body(made, 'send', n);
  await expect.poll(() => gate.waiting).toBe(1);
  return { made, gate, seen };
};

describe('what waits in a seda queue', () => {
  it('is read by the new version of the reader; what was begun stays with the old', async () => {
    const { made, gate, seen } = await queueOfThree();
    await made.engine.reload(workspaceOf(reading('reader', 'two')));
    await body(made, 'send', 4);
    gate.release();
    await expect.poll(() => seen).toEqual(['1 by one', '2 by two', '3 by two', '4 by two']);
    expect(await made.engine.stop({ timeoutMs: 1000 })).toEqual({ stuck: [] });
  });

  it('is read by a workflow of another name that takes over the queue', async () => {
    const { made, gate, seen } = await queueOfThree();
    await made.engine.reload(workspaceOf(reading('heir', 'two')));
    gate.release();
    await expect.poll(() => seen).toEqual(['1 by one', '2 by two', '3 by two']);
    await body(made, 'send', 4);
    await expect.poll(() => seen.length).toBe(4);
    await made.engine.stop({ timeoutMs: 1000 });
  });

  it('is still read by the old version where the new one reads it no more', async () => {
    const { made, gate, seen } = await queueOfThree();
    await made.engine.reload(workspaceOf({ workflows: [{ id: 'x', from: 'direct://x' }] }));
    gate.release();
    await expect.poll(() => seen).toEqual(['1 by one', '2 by one', '3 by one']);
    await expect
      .poll(async () => (await made.engine.request('seda://q', { body: 5 })).failure?.code)
      .toBe('ENGINE.NO_CONSUMER');
    await made.engine.stop({ timeoutMs: 1000 });
  });
});

describe('a stop', () => {
  it('waits for exchanges of every version, and asked twice is one stop', async () => {
    const gate = new Gate();
    const made = await startEngine({
      components: [new DirectComponent()],
      processors: { gate: () => gate.hold() },
      ...calling('one'),
    });
    const { engine, clock } = made;
    const first = body(made, 'outer');
    await engine.reload(workspaceOf(calling('two')));
    const second = body(made, 'outer');
    const stops = [engine.stop({ timeoutMs: 60_000 }), engine.stop({ timeoutMs: 0 })];
    await settled();
    gate.release();
    expect(await Promise.all(stops)).toEqual([{ stuck: [] }, { stuck: [] }]);
    expect(await Promise.all([first, second])).toEqual(['one', 'two']);
    expect(clock.pending).toBe(0);
    await expect(engine.reload(workspaceOf(calling('three')))).rejects.toMatchObject({
      code: 'ENGINE.STOPPING',
    });
  });

  it('gives up what hangs on an old version with the rest', async () => {
    const made = await startEngine({
      components: [new DirectComponent()],
      processors: { gate: () => new Promise<void>(() => undefined) },
      ...calling('one'),
    });
    const { engine, clock, log } = made;
    const hanging = body(made, 'outer');
    await engine.reload(workspaceOf(calling('two')));
    await clock.advance(31_000);
    expect(log.messages('warn')).toContain('still running on version 1 of the workspace');
    const stop = engine.stop({ timeoutMs: 1000 });
    await clock.advance(1000);
    expect((await stop).stuck).toMatchObject([{ workflowId: 'outer', stepId: 'target[0]' }]);
    expect(await hanging).toBe('ENGINE.STOPPING');
    expect(clock.pending).toBe(0);
  });
});

describe('one workflow', () => {
  it('is stopped, started and told how it fares', async () => {
    const edge = new EdgeComponent();
    const made = await startEngine({
      components: [edge],
      workflows: [
        { id: 'a', from: 'edge://a' },
        { id: 'off', from: 'edge://off', disabled: true },
      ],
    });
    const { engine } = made;
    await engine.stopWorkflow('a');
    expect(engine.status('a')).toMatchObject({ state: 'stopped' });
    expect(await body(made, 'a')).toBe('ENGINE.NO_CONSUMER');
    await engine.stopWorkflow('a');
    edge.broken.add('a');
    await expect(engine.startWorkflow('a')).rejects.toMatchObject({
      code: 'ENGINE.START_FAILED',
      message: '"a" does not start: a is taken',
    });
    expect(engine.status('a')).toMatchObject({ state: 'failed', failure: { message: 'a is taken' } });
    edge.broken.clear();
    await engine.startWorkflow('a');
    await engine.startWorkflow('a');
    expect(engine.status('a')).toMatchObject({ state: 'started', failure: null });
    expect(edge.notes).toEqual(['start a', 'stop a', 'start a']);
    await expect(engine.startWorkflow('off')).rejects.toMatchObject({ code: 'ENGINE.WORKFLOW_DISABLED' });
    await expect(engine.restart('off')).rejects.toMatchObject({ code: 'ENGINE.WORKFLOW_DISABLED' });
    await expect(engine.stopWorkflow('zzz')).rejects.toMatchObject({ code: 'ENGINE.UNKNOWN_WORKFLOW' });
    await engine.stop({ timeoutMs: 0 });
  });

  it('stays stopped over a reload that does not change it', async () => {
    const { engine } = await startEngine({ workflows: [{ id: 'a', from: 'test://a' }] });
    await engine.stopWorkflow('a');
    await engine.reload(
      workspaceOf({
        workflows: [
          { id: 'a', from: 'test://a' },
          { id: 'b', from: 'test://b' },
        ],
      }),
    );
    expect(engine.list().map(({ id, state }) => `${id} ${state}`)).toEqual(['a stopped', 'b started']);
    await engine.stop({ timeoutMs: 0 });
  });

  it('is not brought back by a restart that a reload overtook', async () => {
    const gate = new Gate();
    const made = await startEngine({
      components: [new DirectComponent()],
      processors: { gate: () => gate.hold() },
      ...calling('one'),
    });
    const { engine } = made;
    const running = body(made, 'outer');
    const restart = engine.restart('outer');
    await settled();
    await engine.reload(workspaceOf({ workflows: [{ id: 'x', from: 'direct://x' }] }));
    gate.release();
    await Promise.all([running, restart]);
    expect(engine.list().map(({ id }) => id)).toEqual(['x']);
    expect((await engine.request('direct://outer', {})).failure?.code).toBe('ENGINE.NO_CONSUMER');
    await engine.stop({ timeoutMs: 0 });
  });

  it('counts what it did, direct calls and failures too, with the last failure', async () => {
    const made = await startEngine({
      components: [new DirectComponent()],
      workflows: [
        { id: 'outer', from: 'direct://outer', steps: [{ target: 'direct://inner' }] },
        { id: 'inner', from: 'direct://inner', steps: [{ throw: 'no' }] },
      ],
    });
    await body(made, 'outer');
    const [outer, inner] = made.engine.statuses();
    for (const counts of [outer?.counts, inner?.counts]) {
      expect(counts).toMatchObject({ started: 1, completed: 0, failed: 1, inFlight: 0 });
      expect(counts?.lastFailure).toEqual({ code: 'ENGINE.THROWN', at: made.clock.now() });
      expect(counts?.maxMs).toBeGreaterThan(0);
      expect(counts?.meanMs).toBe(counts?.maxMs);
    }
    await made.engine.stop({ timeoutMs: 0 });
  });

  it('is known before the engine runs to be nothing', () => {
    const { engine } = makeEngine();
    expect(engine.isRunning).toBe(false);
    expect(engine.statuses()).toEqual([]);
  });
});
