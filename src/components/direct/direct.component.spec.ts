import { describe, expect, it } from 'vitest';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { workspaceOf } from '../../common/engine/testing/source.js';
import { makeEngine, startEngine } from '../../common/engine/testing/test-engine.js';
import { DirectComponent } from './direct.component.js';

describeComponent(() => new DirectComponent(), 'direct://name', 'direct:name');

describe('direct://', () => {
  it('hands over the same exchange and goes on with what came back', async () => {
    const seen: unknown[] = [];
    const { engine } = await startEngine({
      components: [new DirectComponent()],
      processors: { see: (exchange) => void seen.push(exchange) },
      workflows: [
        {
          id: 'outer',
          from: 'test://outer',
          steps: [
            { target: 'test://see' },
            { to: 'direct://inner' },
            { 'set-body': { starlang: 'payload + "!"' } },
          ],
        },
        { id: 'inner', from: 'direct://inner', steps: [{ target: 'test://see' }, { 'set-body': 'inner' }] },
      ],
    });
    const exchange = engine.exchange('outer', {});
    await engine.run('outer', exchange);
    expect(exchange.body).toBe('inner!');
    expect(seen).toEqual([exchange, exchange]);
    expect(exchange.workflowId).toBe('outer');
  });

  it('a stop in the called workflow ends that one only', async () => {
    const { engine } = await startEngine({
      components: [new DirectComponent()],
      workflows: [
        {
          id: 'outer',
          from: 'test://outer',
          steps: [{ target: 'direct://inner' }, { 'set-header': { name: 'x', value: 1 } }],
        },
        {
          id: 'inner',
          from: 'direct://inner',
          steps: [{ 'set-body': 'a' }, { stop: null }, { 'set-body': 'b' }],
        },
      ],
    });
    const exchange = engine.exchange('outer', {});
    await engine.run('outer', exchange);
    expect(exchange.body).toBe('a');
    expect(exchange.headers.get('x')).toBe(1);
  });

  it('refuses a second consumer of a name and a fixed target without one', () => {
    const { engine } = makeEngine({ components: [new DirectComponent()] });
    const problems = engine.check(
      workspaceOf({
        workflows: [
          { id: 'a', from: 'direct://name' },
          { id: 'b', from: 'direct://name', steps: [{ target: 'direct://nmae' }] },
        ],
      }),
    );
    expect(problems).toMatchObject([
      { rule: 'duplicate-consumer', severity: 'error' },
      { rule: 'missing-target', severity: 'error', suggestion: 'direct://name' },
    ]);
  });

  it('a computed target nobody listens on fails at once and says so', async () => {
    const { engine } = await startEngine({
      components: [new DirectComponent()],
      workflows: [{ id: 'w', from: 'test://w', steps: [{ target: { starlang: '"direct://" + payload' } }] }],
    });
    const exchange = engine.exchange('w', { body: 'nobody' });
    await engine.run('w', exchange);
    expect(exchange.failure).toMatchObject({ code: 'ENGINE.NO_CONSUMER' });
    expect(exchange.failure?.message).toContain('direct://nobody');
  });

  it.each([
    ['synchronous', []],
    ['asynchronous', [{ target: 'test://wait' }]],
  ])('an endless circle of %s calls ends with a clear failure, not with the stack', async (_how, before) => {
    const { engine } = await startEngine({
      components: [new DirectComponent()],
      processors: { wait: () => Promise.resolve() },
      workflows: [
        { id: 'a', from: 'direct://a', steps: [...before, { target: 'direct://b' }] },
        { id: 'b', from: 'direct://b', steps: [...before, { target: 'direct://a' }] },
      ],
    });
    const exchange = await engine.request('direct://a', {});
    expect(exchange.failure?.code).toBe('ENGINE.ENDLESS_RECURSION');
    expect(engine.inFlight()).toEqual([]);
  });

  it('is one endpoint however often and in whatever order it is written', async () => {
    const { engine } = await startEngine({
      components: [new DirectComponent()],
      workflows: [
        { id: 'a', from: 'direct://a', steps: [{ 'set-body': 'a' }] },
        { id: 'w', from: 'test://w', steps: [{ target: 'DIRECT://a' }] },
      ],
    });
    const exchange = engine.exchange('w', {});
    await engine.run('w', exchange);
    expect(exchange.body).toBe('a');
  });
});
