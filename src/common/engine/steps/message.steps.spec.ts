import { describe, expect, it } from 'vitest';
import { problemsOf, runSteps } from '../testing/run-steps.js';

describe('set-body', () => {
  it.each([
    ['a script', { starlang: 'payload + 1' }, 3],
    ['a literal', { value: { a: [1] } }, { a: [1] }],
    ['a text in short', 'payload', 'payload'],
    ['null', { value: null }, null],
  ])('takes %s', async (_what, written, expected) => {
    expect((await runSteps([{ 'set-body': written }], { body: 2 })).body).toEqual(expected);
  });

  it('gives each exchange its own copy of a literal', async () => {
    const steps = [{ 'set-body': { value: { list: [] } } }, { target: 'test://push' }];
    const push = {
      push: (exchange: { body: unknown }): void => void (exchange.body as { list: number[] }).list.push(1),
    };
    const first = await runSteps([...steps, ...steps], {}, push);
    expect(first.body).toEqual({ list: [1] });
  });

  it('takes one of the two, and nothing else', () => {
    expect(problemsOf([{ 'set-body': { starlang: '1', value: 1 } }])[0]).toMatchObject({
      rule: 'wrong-value',
    });
    expect(problemsOf([{ 'set-body': { starlng: '1' } }])[0]).toMatchObject({
      rule: 'unknown-key',
      suggestion: 'starlang',
    });
    expect(problemsOf([{ 'set-body': {} }])[0]).toMatchObject({ rule: 'missing-key' });
  });
});

describe('transform', () => {
  it('replaces the body by what the script gives', async () => {
    expect((await runSteps([{ transform: { starlang: '({ n: payload })' } }], { body: 1 })).body).toEqual({
      n: 1,
    });
  });

  it('has no short form, since a text could be a script or a literal', () => {
    expect(problemsOf([{ transform: 'payload' }])[0]).toMatchObject({ rule: 'wrong-value' });
  });
});

describe('headers', () => {
  it('are set one or several at a time, all values computed before the first is set', async () => {
    const exchange = await runSteps(
      [
        { 'set-header': { name: 'A', value: 1 } },
        { 'set-headers': { a: { starlang: 'payload' }, b: { starlang: 'header("A")' }, C: 'text' } },
      ],
      { body: 2 },
    );
    expect(exchange.headers.toObject()).toEqual({ A: 2, b: 1, C: 'text' });
  });

  it('are removed by name without case', async () => {
    const exchange = await runSteps([{ 'remove-header': 'x-ONE' }], { headers: { 'X-One': 1, 'X-Two': 2 } });
    expect(exchange.headers.toObject()).toEqual({ 'X-Two': 2 });
  });

  it('are removed by pattern, with exceptions, the engine’s own never', async () => {
    const headers = { 'X-One': 1, 'X-Two': 2, Y: 3, HelixToolID: 't' };
    expect((await runSteps([{ 'remove-headers': 'x-*' }], { headers })).headers.toObject()).toEqual({
      Y: 3,
      HelixToolID: 't',
    });
    const exchange = await runSteps([{ 'remove-headers': { pattern: '*', exclude: ['X-O*'] } }], { headers });
    expect(exchange.headers.toObject()).toEqual({ 'X-One': 1, HelixToolID: 't' });
    const literally = await runSteps([{ 'remove-headers': 'X.One' }], { headers });
    expect(literally.headers.has('X-One')).toBe(true);
  });

  it('need a name', () => {
    expect(problemsOf([{ 'set-header': { name: ' ', value: 1 } }])[0]).toMatchObject({
      rule: 'wrong-header',
    });
    expect(problemsOf([{ 'set-header': { value: 1 } }])[0]).toMatchObject({ rule: 'missing-key' });
  });
});

describe('set-property', () => {
  it('keeps a value beside the message', async () => {
    const steps = [
      { 'set-property': { name: 'kept', starlang: 'payload' } },
      { 'set-body': { starlang: '[vars.kept]' } },
    ];
    expect((await runSteps(steps, { body: 1 })).body).toEqual([1]);
  });

  it('writes the state of the session under its contract name', async () => {
    const session = { id: 's', state: {} };
    await runSteps([{ 'set-property': { name: 'helix.session.state', value: { turn: 1 } } }], { session });
    expect(session.state).toEqual({ turn: 1 });
  });
});
