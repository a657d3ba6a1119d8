import { describe, expect, it } from 'vitest';
import { DirectComponent } from '../../../components/direct/index.js';
import type { Exchange } from '../model/exchange.js';
import { settled } from '../testing/manual-clock.js';
import { makeEngine, startEngine } from '../testing/test-engine.js';
import { workspaceOf, type WorkflowInit } from '../testing/source.js';

/** Runs one workflow and tells what its interceptors and targets noted, in order. */
async function run(workflow: Partial<WorkflowInit>, further: object = {}, body: unknown = 'x') {
  const notes: unknown[] = [];
  const { engine, log } = await startEngine({
    components: [new DirectComponent()],
    processors: {
      note: (exchange) => void notes.push(`note ${exchange.stepId} ${String(exchange.body)}`),
      a: () => void notes.push('a'),
      b: () => void notes.push('b'),
    },
    workflows: [{ id: 'w', from: 'test://w', ...workflow }],
    ...further,
  });
  const exchange = engine.exchange('w', { body });
  await engine.run('w', exchange);
  await settled();
  return { exchange, notes, log, engine };
}

const note = { target: 'test://note' };
const count = { 'set-property': { name: 'n', starlang: '(vars.n ?? 0) + 1' } };
const counted = ({ properties }: Exchange): unknown => properties.get('n');

describe('intercept', () => {
  it('comes before each step, nested ones and branches too, and does not meet itself', async () => {
    const { exchange } = await run({
      interceptors: { intercept: { steps: [count, count] } },
      steps: [{ 'set-body': 1 }, { filter: { starlang: 'true', steps: [{ 'set-body': 2 }] } }],
    });
    expect([exchange.failure, exchange.body, counted(exchange)]).toEqual([null, 2, 6]);
  });

  it('only where its condition holds, and for the steps it means', async () => {
    const { exchange } = await run({
      interceptors: {
        intercept: [
          { when: 'payload === 2', steps: [count] },
          {
            match: ['set-*', 'last'],
            steps: [{ 'set-header': { name: 'met', starlang: '(header("met") || 0) + 1' } }],
          },
        ],
      },
      steps: [{ 'set-body': 1 }, { 'set-body': 2 }, { id: 'last', log: 'x' }, { log: 'y' }],
    });
    expect([counted(exchange), exchange.headers.get('met')]).toEqual([2, 3]);
  });

  it('that fails or stops lets the step not begin', async () => {
    const steps = [{ 'set-body': 'done' }];
    const failed = await run({ interceptors: { intercept: { steps: [{ throw: 'no' }] } }, steps });
    expect([failed.exchange.failure?.message, failed.exchange.body]).toEqual(['no', 'x']);
    const stopped = await run({ interceptors: { intercept: { steps: [{ stop: null }] } }, steps });
    expect([stopped.exchange.failure, stopped.exchange.body]).toEqual([null, 'x']);
    const broken = await run({ interceptors: { intercept: { when: 'payload.a.b', steps: [] } }, steps });
    expect(broken.exchange.failure?.code).toBe('EXPRESSION.EVALUATION_FAILED');
  });

  it('comes once per step, however often it is tried', async () => {
    let calls = 0;
    const { engine, clock } = await startEngine({
      processors: {
        flaky: () => {
          if (++calls === 1) throw new Error('not yet');
        },
      },
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          interceptors: { intercept: { steps: [count] } },
          'error-handler': { retries: 1, delay: '1s' },
          steps: [{ target: 'test://flaky' }],
        },
      ],
    });
    const exchange = engine.exchange('w', {});
    const running = engine.run('w', exchange);
    await clock.advance(1000);
    await running;
    expect([exchange.failure, calls, counted(exchange)]).toEqual([null, 2, 1]);
  });
});

describe('intercept-from', () => {
  it.each([
    ['everything', undefined, 1],
    ['the exact address', 'test:w', 1],
    ['a prefix', 'test://*', 1],
    ['a pattern', '/^TEST:..w$/i', 1],
    ['one of several', ['direct://x', 'test://w'], 1],
    ['another', 'test://other', undefined],
  ])('comes before the first step where it means %s', async (_what, match, expected) => {
    const { exchange } = await run({
      interceptors: { 'intercept-from': { ...(match ? { match } : {}), steps: [count] } },
      steps: [{ 'set-body': 1 }, { 'set-body': 2 }],
    });
    expect([exchange.body, counted(exchange)]).toEqual([2, expected]);
  });

  it('may stop or fail the workflow, and a condition that fails is a failure like any', async () => {
    const steps = [{ 'set-body': 'done' }];
    const from = (entry: object) => run({ interceptors: { 'intercept-from': entry }, steps });
    expect((await from({ steps: [{ stop: null }] })).exchange.body).toBe('x');
    expect((await from({ steps: [{ throw: 'no' }] })).exchange.failure?.message).toBe('no');
    expect((await from({ when: 'payload.a.b', steps: [] })).exchange.failure?.code).toBe(
      'EXPRESSION.EVALUATION_FAILED',
    );
  });

  it('takes no turn of the event loop where nothing waits', async () => {
    const { engine } = await run({
      interceptors: { 'intercept-from': { steps: [count] }, intercept: { steps: [count] } },
      steps: [{ 'set-body': 'done' }],
    });
    const exchange = engine.exchange('w', { body: 'x' });
    void engine.run('w', exchange);
    expect(exchange.body).toBe('done');
  });
});

describe('intercept-send-to', () => {
  const toB = { match: 'test://a', skip: true, steps: [{ target: 'test://b' }] };

  it.each([
    ['fixed', { target: 'test://a' }],
    ['computed', { target: { starlang: '"test://a"' } }],
    ['computed, written otherwise', { target: { starlang: '"test:a"' } }],
    ['enriching', { enrich: 'test://a' }],
    ['multicast', { multicast: ['test://a'] }],
    ['listed', { 'recipient-list': { starlang: '["test://a"]' } }],
    ['tapped', { 'wire-tap': 'test://a' }],
  ])('takes a %s target’s place with skip', async (_how, step) => {
    const { notes, exchange } = await run({ interceptors: { 'intercept-send-to': toB }, steps: [step] });
    expect([exchange.failure, notes]).toEqual([null, ['b']]);
  });

  it('without skip comes before the target', async () => {
    const { notes } = await run({
      interceptors: { 'intercept-send-to': { match: 'test://a', steps: [note] } },
      steps: [{ id: 'send', target: 'test://a' }, { target: 'test://b' }],
    });
    expect(notes).toEqual([expect.stringContaining('note'), 'a', 'b']);
  });

  it('only where its condition holds; several come in the order written', async () => {
    const { notes } = await run({
      interceptors: {
        'intercept-send-to': [
          { match: 'test://a', when: 'payload === "y"', skip: true },
          { match: 'test://*', steps: [{ target: 'test://b' }] },
        ],
      },
      steps: [{ target: 'test://a' }, { 'set-body': 'y' }, { target: 'test://a' }],
    });
    expect(notes).toEqual(['b', 'a']);
  });
});

const set = (value: string): object => ({
  'intercept-from': {
    steps: [{ 'set-header': { name: 'who', starlang: `(header("who") ?? "") + "${value}"` } }],
  },
});

const check = (interceptors: unknown) =>
  makeEngine().engine.check(workspaceOf({ workflows: [{ id: 'w', from: 'test://w', interceptors }] }));

describe('interceptors', () => {
  it('of the workspace come before those of the workflow, in every workflow and tool', async () => {
    const { engine } = makeEngine();
    await engine.start(
      workspaceOf({
        interceptors: set('g'),
        workflows: [
          { id: 'w', from: 'test://w', interceptors: set('w') },
          { id: 'v', from: 'test://v' },
        ],
      }),
    );
    for (const [id, who] of [
      ['w', 'gw'],
      ['v', 'g'],
    ] as const) {
      const exchange = engine.exchange(id, {});
      await engine.run(id, exchange);
      expect(exchange.headers.get('who')).toBe(who);
    }
  });

  it('are checked when the workspace is', () => {
    expect(check({ intercpt: {} })[0]).toMatchObject({ rule: 'unknown-key', suggestion: 'intercept' });
    expect(check({ intercept: { steps: [{ lgo: 'x' }] } })[0]).toMatchObject({ rule: 'unknown-step' });
    expect(check({ 'intercept-from': { match: '/(/' } })[0]).toMatchObject({ rule: 'wrong-value' });
    expect(check({ 'intercept-send-to': { match: 'no address' } })[0]).toMatchObject({ rule: 'wrong-value' });
    expect(check({ intercept: { skip: true } })[0]).toMatchObject({ rule: 'unknown-key' });
  });
});
