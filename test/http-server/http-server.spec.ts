import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/common/engine/model/exchange.js';
import type { ManualClock } from '../../src/common/engine/testing/manual-clock.js';
import { workspaceOf, type WorkflowInit } from '../../src/common/engine/testing/source.js';
import { makeEngine, type TestEngineInit } from '../../src/common/engine/testing/test-engine.js';
import { JsonSchemaValidator } from '../../src/common/platform/schema/json-schema-validator.js';
import { DirectComponent } from '../../src/components/direct/index.js';
import { HttpServerComponent } from '../../src/components/http-server/http-server.component.js';
import { closed, opened } from '../support/leak-guard.js';

interface Stand {
  readonly logged: readonly string[];
  /** The engine's own. */
  readonly clock: ManualClock;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly base: string;
  /** How many exchanges did not run out. */
  readonly stop: (timeoutMs?: number) => Promise<{ readonly stuck: number }>;
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

/** A real engine with workflows on one port. `{}` in a trigger stands for the address. */
async function serve(
  workflows: readonly WorkflowInit[],
  processors: TestEngineInit['processors'] = {},
): Promise<Stand> {
  const logged: string[] = [];
  let ids = 0;
  const component = new HttpServerComponent({
    clock: {
      now: () => Date.now(),
      schedule: (ms, task) => {
        const timer = setTimeout(task, ms);
        return () => clearTimeout(timer);
      },
    },
    ids: { next: () => `request-${++ids}` },
    log: { write: (_, message, facts) => void logged.push(`${message} ${JSON.stringify(facts)}`) },
  });
  const { engine, clock } = makeEngine({
    components: [new DirectComponent(), component],
    processors,
    validator: new JsonSchemaValidator(),
  });
  const placed = workflows.map((workflow) => ({
    ...workflow,
    from: workflow.from.replace('{}', '127.0.0.1:0'),
  }));
  const report = await engine.start(workspaceOf({ workflows: placed }));
  const base = new URL(report.started.find(({ address }) => address)?.address ?? '').origin;
  opened(base);
  let stopping: ReturnType<typeof engine.stop> | undefined;
  const stop = async (timeoutMs = 2000): Promise<{ stuck: number }> => {
    stopping ??= engine.stop({ timeoutMs });
    const { stuck } = await stopping;
    closed(base);
    return { stuck: stuck.length };
  };
  cleanUp.push(() => stop());
  return { logged, base, clock, fetch: (path, init) => fetch(`${base}${path}`, init), stop };
}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

describe('a workflow behind http-server://', () => {
  it('answers a question with what its steps make of it', async () => {
    const { fetch } = await serve([
      {
        id: 'greet',
        from: 'http-server://{}/greet/{name}?method=POST',
        steps: [
          {
            'set-body': {
              starlang:
                '({ hello: header("http.path.name"), times: payload.times, q: vars.attributes.queryParams.q })',
            },
          },
          { 'set-header': { name: 'HelixHttpStatus', value: 201 } },
        ],
      },
    ]);
    const reply = await fetch('/greet/ann?q=1', json({ times: 2 }));
    expect([reply.status, await reply.json()]).toEqual([201, { hello: 'ann', times: 2, q: '1' }]);
  });

  it('calls others on the way, and their failure names the step', async () => {
    const { fetch, logged } = await serve([
      { id: 'edge', from: 'http-server://{}/x', steps: [{ target: 'direct://inner' }] },
      {
        id: 'inner',
        from: 'direct://inner',
        steps: [{ throw: { value: 'the stock is empty' } }],
      },
    ]);
    const reply = await fetch('/x', json({}));
    expect([reply.status, await reply.json()]).toMatchObject([
      500,
      {
        detail: 'the stock is empty',
        step: expect.stringMatching(/^\/workflows\/(edge|inner)\/steps\//) as string,
      },
    ]);
    expect(logged).toHaveLength(1);
  });

  it('is not reached by what its input-schema refuses', async () => {
    let ran = 0;
    const { fetch } = await serve(
      [
        {
          id: 'order',
          from: 'http-server://{}/orders',
          'input-schema': {
            type: 'object',
            properties: { lines: { type: 'array', items: { type: 'object', required: ['sku'] } } },
            required: ['lines'],
          },
          steps: [{ target: 'test://count' }],
        },
      ],
      { count: () => void ran++ },
    );
    const reply = await fetch('/orders', json({ lines: [{ sku: 'a' }, {}] }));
    const problem = (await reply.json()) as { errors: { pointer: string }[] };
    expect([reply.status, problem.errors[0]?.pointer]).toEqual([422, '/lines/1/sku']);
    expect(ran).toBe(0);
    expect((await fetch('/orders', json({ lines: [{ sku: 'a' }] }))).status).toBe(200);
  });

  it("cannot be told by the outside what is the engine's to say", async () => {
    let seen: Exchange | undefined;
    const { fetch } = await serve(
      [{ id: 'w', from: 'http-server://{}/x', steps: [{ target: 'test://see' }] }],
      {
        see: (exchange) => void (seen = exchange),
      },
    );
    const reply = await fetch('/x?HelixHttpStatus=500&helixMcpToolName=x', {
      headers: { HelixHttpStatus: '500', 'helix-mcp-tool-name': 'x', HELIXMCPTOOLNAME: 'x' },
    });
    expect(reply.status).toBe(204);
    expect([...(seen?.headers.entries() ?? [])].filter(([name]) => /helix/i.test(name))).toEqual([]);
  });

  it('keeps every byte of a body through its steps', async () => {
    const { fetch } = await serve([{ id: 'w', from: 'http-server://{}/x', steps: [] }]);
    const bytes = Buffer.from(Array.from({ length: 256 * 400 }, (_, i) => i % 256));
    const headers = { 'content-type': 'application/octet-stream' };
    const reply = await fetch('/x', { method: 'POST', body: bytes, headers });
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
  });
});

describe('http-server:// and time', () => {
  it('answers 504 when a step does not end, and the step is told', async () => {
    let told: Promise<unknown> | undefined;
    const { fetch } = await serve(
      [{ id: 'w', from: 'http-server://{}/x?timeout=200ms', steps: [{ target: 'test://hang' }] }],
      {
        hang: (exchange) => {
          told = once(exchange.signal, 'abort');
          return new Promise(() => undefined);
        },
      },
    );
    expect((await fetch('/x')).status).toBe(504);
    await told;
  });

  it('tells the step when the client leaves, and counts nothing as running after', async () => {
    const entered = new AbortController();
    let told: Promise<unknown> | undefined;
    const { base, stop } = await serve(
      [{ id: 'w', from: 'http-server://{}/x', steps: [{ target: 'test://hang' }] }],
      {
        hang: (exchange) => {
          told = once(exchange.signal, 'abort');
          entered.abort();
          return new Promise(() => undefined);
        },
      },
    );
    const client = httpRequest(`${base}/x`).on('error', () => undefined);
    client.end();
    await once(entered.signal, 'abort');
    client.destroy();
    await told;
    expect(await stop()).toEqual({ stuck: 0 });
  });

  it('lets what is in flight run out when the engine stops', async () => {
    const entered = new AbortController();
    const release = new AbortController();
    const { fetch, stop } = await serve(
      [{ id: 'w', from: 'http-server://{}/x', steps: [{ target: 'test://wait' }] }],
      {
        wait: async (exchange) => {
          entered.abort();
          await once(release.signal, 'abort');
          exchange.body = 'done';
        },
      },
    );
    const reply = fetch('/x');
    await once(entered.signal, 'abort');
    const stopped = stop();
    await expect(fetch('/x')).rejects.toThrow('fetch failed');
    release.abort();
    const answer = await reply;
    expect([answer.status, await answer.text(), answer.headers.get('connection')]).toEqual([
      200,
      'done',
      'close',
    ]);
    expect(await stopped).toEqual({ stuck: 0 });
  });

  it('answers 503 for what does not run out in time', async () => {
    const entered = new AbortController();
    const { fetch, stop, clock } = await serve(
      [{ id: 'w', from: 'http-server://{}/x', steps: [{ target: 'test://hang' }] }],
      {
        hang: () => {
          entered.abort();
          return new Promise(() => undefined);
        },
      },
    );
    const reply = fetch('/x');
    await once(entered.signal, 'abort');
    const stopped = stop(100);
    await expect(fetch('/x')).rejects.toThrow('fetch failed');
    await clock.advance(100);
    expect(await stopped).toEqual({ stuck: 1 });
    const answer = await reply;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('http-server:// and a workspace with two of one kind', () => {
  it('does not start, and names both', async () => {
    await expect(
      serve([
        { id: 'first', from: 'http-server://{}/orders/{id}', steps: [] },
        { id: 'second', from: 'http-server://{}/orders/{key}', steps: [] },
      ]),
    ).rejects.toThrow(/"second" and "first" both serve \/orders\/\{key\}/);
  });
});
