import { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { whenAborted } from '../../src/common/engine/api/abort.js';
import type { Engine } from '../../src/common/engine/runtime/engine.js';
import {
  makeEngine,
  startEngine,
  type TestEngine,
  type TestEngineInit,
} from '../../src/common/engine/testing/test-engine.js';
import { settled } from '../../src/common/engine/testing/manual-clock.js';
import { workspaceOf } from '../../src/common/engine/testing/source.js';
import { DirectComponent } from '../../src/components/direct/index.js';
import { HttpServerComponent } from '../../src/components/http-server/http-server.component.js';
import { SedaComponent } from '../../src/components/seda/index.js';
import { systemClock } from '../../src/modules/workflow-engine/system-clock.js';

/**
 * Faults that other workflow engines had, as stories over several parts of ours. What one part alone keeps from is in its
 * own spec; docs/known-faults.md says where.
 */

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop({ timeoutMs: 1000 });
});

async function start(init: TestEngineInit): Promise<TestEngine> {
  const made = await startEngine({ components: [new DirectComponent()], ...init });
  engines.push(made.engine);
  return made;
}

const later = async (): Promise<void> => settled();

describe('branches', () => {
  it('that run at once may each change a map that stands in a header', async () => {
    const seen: unknown[] = [];
    const { engine } = await start({
      processors: {
        mark: async (exchange) => {
          const tags = exchange.headers.get('tags') as Record<string, number>;
          await later();
          tags['mark'] = Object.keys(tags).length;
          seen.push(tags);
        },
      },
      workflows: [
        {
          id: 'w',
          from: 'direct://w',
          steps: [{ multicast: { to: ['test://mark', 'test://mark'], parallel: true } }],
        },
      ],
    });
    const exchange = engine.exchange('w', { headers: { tags: { given: 1 } } });
    await engine.run('w', exchange);
    expect(seen).toEqual([
      { given: 1, mark: 1 },
      { given: 1, mark: 1 },
    ]);
    expect(exchange.headers.get('tags')).toEqual({ given: 1 });
  });

  it('never get a handle of the transport: the exchange fails with a sentence, and nothing hangs', async () => {
    const { engine } = await start({
      processors: { a: () => undefined },
      workflows: [{ id: 'w', from: 'direct://w', steps: [{ multicast: { to: ['test://a'] } }] }],
    });
    const socket = new Socket();
    const exchange = engine.exchange('w', { body: { reply: socket } });
    await engine.run('w', exchange);
    expect(exchange.failure?.message).toMatch(/Socket cannot be handed to another branch/);
    expect(engine.inFlight()).toEqual([]);
    socket.destroy();
  });
});

describe('failures', () => {
  it('of many retries do not nest ever deeper', async () => {
    const { engine, clock } = await start({
      processors: {
        fail: () => {
          throw new Error('again');
        },
      },
      workflows: [
        {
          id: 'w',
          from: 'direct://w',
          'error-handler': { retries: 200, delay: 1 },
          steps: [{ target: 'test://fail' }],
        },
      ],
    });
    const exchange = engine.exchange('w', {});
    const running = engine.run('w', exchange);
    for (let turn = 0; turn < 200; turn++) await clock.advance(1);
    await running;
    let depth = 0;
    for (let cause: unknown = exchange.failure; cause instanceof Error; cause = cause.cause) depth++;
    expect([exchange.failure?.message, depth]).toEqual(['again', 2]);
  });

  it('of what decides the next step end the exchange, asked once', async () => {
    let asked = 0;
    const { engine } = await start({
      language: {
        compile: (source) => ({
          source,
          evaluate: () => {
            asked++;
            throw new Error('no such name');
          },
        }),
      },
      workflows: [
        {
          id: 'w',
          from: 'direct://w',
          steps: [{ choice: { when: [{ starlang: 'x', steps: [{ stop: {} }] }] } }],
        },
      ],
    });
    const exchange = engine.exchange('w', {});
    await engine.run('w', exchange);
    expect([exchange.failure?.message, asked]).toEqual(['no such name', 1]);
  });
});

describe('what is taken back twice', () => {
  it('takes nobody else’s with it', () => {
    const controller = new AbortController();
    const told: string[] = [];
    const forget = whenAborted(controller.signal, () => told.push('mine'));
    whenAborted(controller.signal, () => told.push('another'));
    forget();
    forget();
    controller.abort();
    expect(told).toEqual(['another']);
  });

  it('stops once: an engine that is told to stop again has nothing more to do', async () => {
    const { engine } = await start({ workflows: [{ id: 'w', from: 'direct://w', steps: [] }] });
    const reports = await Promise.all([engine.stop({ timeoutMs: 100 }), engine.stop({ timeoutMs: 100 })]);
    expect(reports).toEqual([{ stuck: [] }, { stuck: [] }]);
  });
});

describe('a body that came over HTTP', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

  it('keeps every byte and can be read again: by a queue, by a branch and by the reply', async () => {
    const seen: unknown[] = [];
    let last = 0;
    const ports = {
      clock: systemClock,
      ids: { next: (): string => `id-${++last}` },
      log: { write: (): void => undefined },
    };
    const { engine } = makeEngine({
      components: [new HttpServerComponent(ports), new SedaComponent(ports)],
      processors: { see: (exchange) => void seen.push(exchange.body) },
    });
    engines.push(engine);
    const workspace = workspaceOf({
      workflows: [
        { id: 'queue', from: 'seda://queue', steps: [{ target: 'test://see' }] },
        {
          id: 'w',
          from: 'http-server://127.0.0.1:0/w',
          steps: [
            { multicast: { to: ['test://see'] } },
            { target: 'seda://queue' },
            { target: 'test://see' },
          ],
        },
      ],
    });
    const { started } = await engine.start(workspace);
    const reply = await fetch(started.find(({ address }) => address !== null)?.address ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes);
    expect(seen).toEqual([bytes, bytes, bytes]);
  });
});

describe('a queue that is full', () => {
  it('keeps no caller waiting whose reply does not need it: first the reply, then the place in the queue', async () => {
    const seen: unknown[] = [];
    const begin: (() => void)[] = [];
    const mayBegin = new Promise<void>((resolve) => begin.push(resolve));
    const end: (() => void)[] = [];
    const allSeen = new Promise<void>((resolve) => end.push(resolve));
    const ports = {
      clock: systemClock,
      ids: { next: (): string => crypto.randomUUID() },
      log: { write: (): void => undefined },
    };
    const { engine } = makeEngine({
      components: [new HttpServerComponent(ports), new SedaComponent(ports)],
      processors: {
        work: async (exchange) => {
          await mayBegin;
          if (seen.push(exchange.body) === 4) end[0]?.();
        },
      },
    });
    engines.push(engine);
    const workspace = workspaceOf({
      workflows: [
        { id: 'queue', from: 'seda://queue?size=1', steps: [{ target: 'test://work' }] },
        {
          id: 'w',
          from: 'http-server://127.0.0.1:0/w?method=POST',
          steps: [{ 'wire-tap': 'seda://queue?block-when-full=true' }, { 'set-body': 'accepted' }],
        },
      ],
    });
    const { started } = await engine.start(workspace);
    const address = started.find((each) => each.address !== null)?.address ?? '';
    const bodies = ['begun', 'queued', 'in line', 'in line too'];
    for (const body of bodies) {
      const reply = await fetch(address, { method: 'POST', body });
      expect(await reply.text()).toBe('accepted');
    }
    expect(seen).toEqual([]);
    begin[0]?.();
    await allSeen;
    expect(seen).toEqual(bodies);
  });
});
