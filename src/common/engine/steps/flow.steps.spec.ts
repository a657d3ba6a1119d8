import { describe, expect, it } from 'vitest';
import { MemoryLog } from '../testing/memory-log.js';
import { problemsOf, runSteps } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';

const say = (text: string): object => ({ 'set-body': text });

describe('choice', () => {
  const choice = {
    choice: {
      when: [
        { starlang: 'payload > 10', steps: [say('big')] },
        { starlang: 'payload > 5', steps: [say('middle')] },
      ],
      otherwise: [say('small')],
    },
  };

  it.each([
    [11, 'big'],
    [6, 'middle'],
    [1, 'small'],
  ])('takes the first branch that holds: %d is %s', async (body, expected) => {
    expect((await runSteps([choice], { body })).body).toBe(expected);
  });

  it('goes on unchanged where nothing holds and there is no otherwise', async () => {
    const steps = [{ choice: { when: { starlang: 'false', steps: [say('no')] } } }];
    expect((await runSteps(steps, { body: 1 })).body).toBe(1);
  });

  it('finds problems in its branches, at their place', () => {
    const [problem] = problemsOf([{ choice: { when: [{ starlang: 'true', steps: [{ 'set-bdy': 1 }] }] } }]);
    expect(problem).toMatchObject({ rule: 'unknown-step', suggestion: 'set-body' });
  });
});

describe('a condition', () => {
  it.each([
    ['gives null', 'null', 'EXPRESSION.EVALUATION_FAILED'],
    ['gives a text', '"true"', 'EXPRESSION.EVALUATION_FAILED'],
    ['fails', 'payload.a.b', 'EXPRESSION.EVALUATION_FAILED'],
  ])('that %s fails the exchange and is never taken for false', async (_how, starlang, code) => {
    const exchange = await runSteps([{ filter: { starlang, steps: [say('in')] } }, say('after')], {
      body: 1,
    });
    expect(exchange.failure?.code).toBe(code);
    expect(exchange.body).toBe(1);
  });
});

describe('filter', () => {
  it('does its steps only where the condition holds, and goes on either way', async () => {
    const steps = [
      { filter: { starlang: 'payload == 1', steps: [say('in')] } },
      { 'set-header': { name: 'after', value: 1 } },
    ];
    expect((await runSteps(steps, { body: 1 })).body).toBe('in');
    const other = await runSteps(steps, { body: 2 });
    expect([other.body, other.headers.get('after')]).toEqual([2, 1]);
  });

  it('without steps decides over the rest of the workflow', async () => {
    expect((await runSteps([{ filter: 'payload == 1' }, say('went on')], { body: 1 })).body).toBe('went on');
    const stopped = await runSteps([{ filter: 'payload == 1' }, say('went on')], { body: 2 });
    expect([stopped.body, stopped.failure]).toEqual([2, null]);
  });
});

describe('stop', () => {
  it('ends the workflow from within a branch, without a failure', async () => {
    const steps = [{ filter: { starlang: 'true', steps: [say('last'), { stop: null }] } }, say('not this')];
    const exchange = await runSteps(steps);
    expect([exchange.body, exchange.failure]).toEqual(['last', null]);
  });
});

describe('throw', () => {
  it('fails with a text, a script, a known code or its own', async () => {
    expect((await runSteps([{ throw: 'no stock' }])).failure).toMatchObject({
      code: 'ENGINE.THROWN',
      message: 'no stock',
    });
    expect(
      (await runSteps([{ throw: { starlang: '"no " + payload' } }], { body: 'x' })).failure?.message,
    ).toBe('no x');
    expect((await runSteps([{ throw: { code: 'HTTP.UNPROCESSABLE', value: 'bad' } }])).failure?.code).toBe(
      'HTTP.UNPROCESSABLE',
    );
    expect((await runSteps([{ throw: { code: 'ORDER.LATE', value: 'late' } }])).failure?.details).toEqual({
      code: 'ORDER.LATE',
    });
  });
});

describe('target', () => {
  const echo = {
    echo: (exchange: { body: unknown }): void => void (exchange.body = ['echo', exchange.body]),
  };

  it.each([
    ['in short', { target: 'test://echo' }],
    ['as to', { to: 'test://echo' }],
    ['as a map', { target: { uri: 'test://echo', parameters: {} } }],
    ['computed', { target: { starlang: '"test://echo"' } }],
  ])('sends to a URI written %s', async (_how, step) => {
    expect((await runSteps([step], { body: 1 }, echo)).body).toEqual(['echo', 1]);
  });

  it.each([
    ['no URI', '5', 'EXPRESSION.EVALUATION_FAILED'],
    ['an empty text', '""', 'EXPRESSION.EVALUATION_FAILED'],
    ['an unknown scheme', '"nowhere://x"', 'WORKSPACE.UNKNOWN_COMPONENT'],
    ['a trigger', '"test://nobody"', 'WORKSPACE.UNSUPPORTED_END'],
  ])('fails where the script gives %s', async (_what, starlang, code) => {
    expect((await runSteps([{ target: { starlang } }])).failure?.code).toBe(code);
  });

  it('tells the chain where it sends, without secrets', async () => {
    const { engine, log } = await startEngine({
      processors: echo,
      workflows: [{ id: 'w', from: 'test://w', steps: [{ target: 'test://echo?token=abc' }] }],
    });
    await engine.run('w', engine.exchange('w', {}));
    expect(JSON.stringify(log.lines)).not.toContain('abc');
  });

  it('is checked when the workspace is', () => {
    expect(problemsOf([{ target: 'test://nobody' }])[0]).toMatchObject({ rule: 'unsupported-end' });
    expect(problemsOf([{ target: { uri: 'test://x', params: {} } }])[0]).toMatchObject({
      suggestion: 'parameters',
    });
    expect(problemsOf([{ target: null }])[0]).toMatchObject({ rule: 'missing-key' });
  });
});

describe('log', () => {
  it('writes a text or what a script gives, with the ids of the exchange', async () => {
    const { engine, log } = await startEngine({
      workflows: [
        {
          id: 'w',
          from: 'test://w',
          steps: [{ log: 'plain' }, { id: 'loud', log: { starlang: '({ n: payload })', level: 'warn' } }],
        },
      ],
    });
    await engine.run('w', engine.exchange('w', { body: 1, correlationId: 'c' }));
    const said = (log satisfies MemoryLog).lines.filter(({ level }) => level !== 'debug');
    expect(said).toMatchObject([
      { level: 'info', message: 'plain' },
      { level: 'warn', message: '{"n":1}', facts: { workflow: 'w', step: 'loud', correlation: 'c' } },
    ]);
  });
});

describe('a step', () => {
  it('has one keyword and known extras', () => {
    expect(() => problemsOf([{ log: 'a', stop: null }])).toThrow(/"log" and "stop"/);
    expect(() => problemsOf([{ id: 'x' }])).toThrow(/no keyword/);
    expect(() => problemsOf(['log'])).toThrow(/one keyword/);
  });

  it('that is disabled does nothing but is still checked', async () => {
    expect((await runSteps([{ ...say('no'), disabled: true }], { body: 1 })).body).toBe(1);
    expect(problemsOf([{ 'set-body': {}, disabled: true }])).toHaveLength(1);
  });

  it('takes an id that is free', () => {
    expect(
      problemsOf([
        { id: 'a', log: 'x' },
        { id: 'a', log: 'y' },
      ])[0],
    ).toMatchObject({ rule: 'duplicate-id' });
  });
});
