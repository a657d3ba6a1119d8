import { describe, expect, it } from 'vitest';
import { makeEngine } from '../../common/engine/testing/test-engine.js';
import { type WorkflowInit, workspaceOf } from '../../common/engine/testing/source.js';
import { DirectComponent } from '../direct/index.js';
import { ControlComponent, type WorkflowControl } from './control.component.js';

/** An engine with a workflow to steer and one that steers it. */
async function start(target: string | object, more: readonly WorkflowInit[] = []) {
  const made: { engine?: WorkflowControl } = {};
  const control = new ControlComponent(() => made.engine as WorkflowControl);
  const { engine } = makeEngine({ components: [new DirectComponent(), control] });
  made.engine = engine;
  const workflows = [
    { id: 'job', from: 'direct://job', steps: [{ 'set-body': 'done' }] },
    { id: 'steer', from: 'direct://steer', steps: [{ target }] },
    ...more,
  ];
  await engine.start(workspaceOf({ workflows }));
  return {
    engine,
    steer: async () => {
      const exchange = engine.exchange('steer', { body: 'kept' });
      await engine.run('steer', exchange);
      return exchange;
    },
  };
}

describe('control://', () => {
  it('stops, starts and restarts another workflow, and keeps the message', async () => {
    for (const [action, state] of [
      ['stop', 'stopped'],
      ['start', 'started'],
      ['restart', 'started'],
    ] as const) {
      const { engine, steer } = await start(`control://job?action=${action}`);
      if (action === 'start') await engine.stopWorkflow('job');
      const exchange = await steer();
      expect([exchange.failure, exchange.body]).toEqual([null, 'kept']);
      expect(engine.get('job')?.state).toBe(state);
      await engine.stop({ timeoutMs: 0 });
    }
  });

  it('fails for a workflow there is not, and never waits for itself', async () => {
    for (const [uri, code] of [
      ['control://absent?action=stop', 'ENGINE.UNKNOWN_WORKFLOW'],
      ['control://steer?action=stop', 'ENGINE.INVALID_MESSAGE'],
      ['control://steer?action=restart', 'ENGINE.INVALID_MESSAGE'],
    ] as const) {
      const { engine, steer } = await start(uri);
      expect((await steer()).failure?.code).toBe(code);
      await engine.stop({ timeoutMs: 0 });
    }
  });

  it('lets no message choose what it does: a computed target must stand in the workspace', async () => {
    const target = { starlang: '"control://job?action=stop"' };
    const chosen = await start(target);
    expect((await chosen.steer()).failure?.code).toBe('ENGINE.INVALID_MESSAGE');
    expect(chosen.engine.get('job')?.state).toBe('started');
    await chosen.engine.stop({ timeoutMs: 0 });
    const step = { target: 'control://job?action=stop' };
    const written = await start(target, [{ id: 'written', from: 'direct://written', steps: [step] }]);
    expect((await written.steer()).failure).toBeNull();
    expect(written.engine.get('job')?.state).toBe('stopped');
    await written.engine.stop({ timeoutMs: 0 });
  });

  it.each(['control://job', 'control://?action=stop', 'control://job?action=explode'])(
    'refuses %s',
    async (uri) => {
      await expect(start(uri)).rejects.toThrow(/control|action/);
    },
  );
});
