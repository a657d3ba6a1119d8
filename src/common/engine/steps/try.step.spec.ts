import { describe, expect, it } from 'vitest';
import { settled } from '../testing/manual-clock.js';
import type { Exchange } from '../model/exchange.js';
import { problemsOf, runSteps } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';

const fail = (code = 'ORDER.LATE'): object => ({ throw: { code, value: 'late' } });
const say = (text: string): object => ({ 'set-body': text });
const tell = { 'set-body': { starlang: '[payload, error.details.code ?? error.code]' } };

describe('try', () => {
  it('catches what its steps throw, with the message as it stood before, and goes on', async () => {
    const steps = [
      { try: { do: [say('half'), fail()], catch: [tell] } },
      { 'set-header': { name: 'after', starlang: 'error' } },
    ];
    const exchange = await runSteps(steps, { body: 'x' });
    expect([exchange.failure, exchange.body]).toEqual([null, ['x', 'ORDER.LATE']]);
    expect(exchange.headers.get('after')).toBeNull();
  });

  it('goes on with what its steps gave where nothing fails', async () => {
    expect((await runSteps([{ try: { do: [say('done')], catch: [say('caught')] } }])).body).toBe('done');
  });

  it.each([
    ['ORDER.LATE', 'exact'],
    ['ORDER.LOST', 'prefix'],
    ['MCP.TOOL_FAILED', 'any'],
  ])('takes the most specific clause: %s by %s', async (code, expected) => {
    const clauses = [
      { steps: [say('any')] },
      { match: 'ORDER.*', steps: [say('prefix')] },
      { match: 'ORDER.LATE', when: 'true', steps: [say('exact')] },
    ];
    expect((await runSteps([{ try: { do: [fail(code)], catch: clauses } }])).body).toBe(expected);
  });

  it('leaves what no clause means to the error handler of the workflow, at its place', async () => {
    const bad = { id: 'bad', ...fail() };
    const exchange = await runSteps([{ try: { do: [bad], catch: { match: 'MCP.*', steps: [] } } }]);
    expect(exchange.failure?.message).toBe('late');
    expect(exchange.failedAt?.stepId).toBe('bad');
    const { engine } = await startEngine({
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          'on-exception': { match: 'ORDER.*', handled: true, steps: [say('handled')] },
          steps: [{ try: { do: [fail()], catch: { match: 'MCP.*', steps: [] } } }],
        },
      ],
    });
    const handled = engine.exchange('w', {});
    await engine.run('w', handled);
    expect([handled.failure, handled.body]).toEqual([null, 'handled']);
  });

  it('comes before the error handler of the workflow, however deep the failing step stands', async () => {
    const deep = { filter: { starlang: 'true', steps: [{ split: { starlang: '[1]', steps: [fail()] } }] } };
    const { engine, clock } = await startEngine({
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          'error-handler': { retries: 3, delay: '1h' },
          'on-exception': { handled: true, steps: [say('handled by the workflow')] },
          steps: [{ try: { do: [deep], catch: [say('caught')] } }],
        },
      ],
    });
    const exchange = engine.exchange('w', { body: 'x' });
    await engine.run('w', exchange);
    expect([exchange.failure, exchange.body, clock.pending]).toEqual([null, 'caught', 0]);
  });

  it('works within a catch: the failure being dealt with is data there, and comes back afterwards', async () => {
    const inner = {
      try: {
        do: [fail('INNER.ONE')],
        catch: [{ 'set-header': { name: 'in', starlang: 'error.details.code' } }],
      },
    };
    const steps = [
      {
        try: {
          do: [fail('OUTER.ONE')],
          catch: [inner, { 'set-header': { name: 'out', starlang: 'error.details.code' } }],
        },
      },
    ];
    const exchange = await runSteps(steps);
    expect(exchange.failure).toBeNull();
    expect(exchange.headers.toObject()).toEqual({ in: 'INNER.ONE', out: 'OUTER.ONE' });
  });

  it('throws on what it caught, and keeps it as the cause of another failure', async () => {
    const again = await runSteps([{ try: { do: [{ id: 'bad', ...fail() }], catch: [{ throw: null }] } }]);
    expect([again.failure?.message, again.failedAt?.stepId]).toEqual(['late', 'bad']);
    const other = await runSteps([{ try: { do: [fail()], catch: [{ throw: 'worse' }] } }]);
    expect(other.failure?.message).toBe('worse');
    expect(other.failure?.cause).toMatchObject({ message: 'late' });
  });

  describe('finally', () => {
    const last = { 'set-header': { name: 'last', starlang: 'error ? error.message : "fine"' } };

    it.each([
      ['after success', [say('done')], undefined, [null, 'done', 'fine']],
      ['after a failure', [fail()], undefined, ['late', null, 'late']],
      ['after a catch', [fail()], [say('caught')], [null, 'caught', 'fine']],
      ['after a catch that fails', [fail()], [{ throw: 'worse' }], ['worse', null, 'worse']],
      ['after a stop', [say('done'), { stop: null }], undefined, [null, 'done', 'fine']],
    ])('runs %s', async (_when, todo, caught, expected) => {
      const exchange = await runSteps([
        { try: { do: todo, ...(caught ? { catch: caught } : {}), finally: [last] } },
      ]);
      expect([exchange.failure?.message ?? null, exchange.body, exchange.headers.get('last')]).toEqual(
        expected,
      );
    });

    it('keeps a stop of the steps', async () => {
      const steps = [{ try: { do: [{ stop: null }], finally: [last] } }, say('not this')];
      expect((await runSteps(steps, { body: 'x' })).body).toBe('x');
    });

    it('that fails keeps the first failure as its cause', async () => {
      const exchange = await runSteps([{ try: { do: [fail()], finally: [{ throw: 'worse' }] } }]);
      expect(exchange.failure?.message).toBe('worse');
      expect(exchange.failure?.cause).toMatchObject({ message: 'late' });
    });

    it('runs after the caller left too, on a copy, and no catch does', async () => {
      const seen: string[] = [];
      const see = ({ body }: Exchange): void => void seen.push(String(body));
      const { engine } = await startEngine({
        processors: { hang: () => new Promise(() => undefined), see },
        workflows: [
          {
            id: 'w',
            from: 'test://w',
            steps: [
              {
                try: {
                  do: [{ target: 'test://hang' }],
                  catch: [{ target: 'test://see' }],
                  finally: [{ target: 'test://see' }],
                },
              },
            ],
          },
        ],
      });
      const caller = new AbortController();
      const exchange = engine.exchange('w', { body: 'x', signal: caller.signal });
      const running = engine.run('w', exchange);
      await settled();
      caller.abort();
      await running;
      expect(exchange.failure?.code).toBe('ENGINE.CANCELLED');
      await settled();
      expect(seen).toEqual(['x']);
      expect(engine.inFlight()).toEqual([]);
    });
  });

  it('a condition of a clause that fails is a failure, with the first as its cause', async () => {
    const exchange = await runSteps([{ try: { do: [fail()], catch: { when: 'payload.a.b', steps: [] } } }]);
    expect(exchange.failure?.code).toBe('EXPRESSION.EVALUATION_FAILED');
  });

  it('is tried again as a whole by the error handler where it does not catch', async () => {
    let calls = 0;
    const flaky = (): void => {
      if (++calls === 1) throw new Error('not yet');
    };
    const { engine, clock } = await startEngine({
      processors: { flaky },
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          'error-handler': { retries: 1, delay: '1s' },
          steps: [{ try: { do: [{ target: 'test://flaky' }], finally: [] } }],
        },
      ],
    });
    const exchange = engine.exchange('w', {});
    const running = engine.run('w', exchange);
    await clock.advance(1000);
    await running;
    expect([exchange.failure, calls]).toEqual([null, 2]);
  });

  it('needs catch or finally', () => {
    expect(problemsOf([{ try: { do: [] } }])[0]).toMatchObject({ rule: 'missing-key' });
    expect(problemsOf([{ try: { do: [], catch: { match: '/(/', steps: [] } } }])[0]).toMatchObject({
      rule: 'wrong-value',
    });
    expect(problemsOf([{ try: { do: [], catch: [{ lgo: 1 }] } }])[0]).toMatchObject({ rule: 'unknown-step' });
  });
});
