import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Consumer, Route } from '../../common/engine/api/component.js';
import type {
  JsonSchema,
  WorkflowDirectory,
  WorkflowInfo,
} from '../../common/engine/api/workflow-directory.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { workspaceOf } from '../../common/engine/testing/source.js';
import { Exchange } from '../../common/engine/model/exchange.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { HttpServerComponent } from './http-server.component.js';

type Work = (exchange: Exchange) => unknown;

/** A server whose workflows are functions: what they return is the reply's body. */
class Bench {
  readonly logged: unknown[] = [];
  readonly scheduled: { ms: number; task: () => void }[] = [];
  readonly component = new HttpServerComponent({
    clock: {
      now: () => Date.now(),
      schedule: (ms, task) => {
        const entry = { ms, task };
        this.scheduled.push(entry);
        return () => void this.scheduled.splice(this.scheduled.indexOf(entry), 1);
      },
    },
    ids: { next: () => randomUUID() },
    log: {
      write: (...line) => void this.logged.push(line),
      redact: (text) => text.replaceAll('key-of-the-upstream', '[secret]'),
    },
  });
  readonly started: Consumer[] = [];
  readonly workflows = new Map<string, WorkflowInfo>();
  base = '';

  consumer(uri: string, work: Work, id = 'orders', inputSchema: JsonSchema | null = null): Consumer {
    const workflow: WorkflowInfo = {
      id,
      description: null,
      from: uri,
      scheme: 'http-server',
      inputSchema,
      outputSchema: null,
      state: 'started',
      timeoutMs: null,
    };
    this.workflows.set(id, workflow);
    const run = async (exchange: Exchange): Promise<void> => {
      try {
        const body = await work(exchange);
        if (body !== undefined) exchange.body = body;
      } catch (error) {
        exchange.stepId = 'set-body[0]';
        exchange.fail(error);
      }
    };
    const route: Route = {
      workflow,
      directory: this.directory,
      serves: () => this.workflows.get(id) === workflow,
      coexistsWith: (other) =>
        other.workflow.id !== id && this.workflows.get(other.workflow.id) === other.workflow,
      exchange: (init) => new Exchange({ ...init, id: randomUUID() }),
      violations: (value) => {
        const named = typeof value === 'object' && value !== null && 'name' in value;
        return inputSchema === null || named
          ? []
          : [{ path: '/name', code: 'required', message: 'is missing' }];
      },
      run,
      pass: run,
    };
    const consumer = this.component.endpoint(EndpointUri.parse(uri)).consumer?.(route);
    if (!consumer) throw new Error('no consumer');
    return consumer;
  }

  readonly directory: WorkflowDirectory = {
    list: () => [...this.workflows.values()],
    get: (id) => this.workflows.get(id),
    exchange: (_, init) => new Exchange({ ...init, id: randomUUID() }),
    run: () => Promise.resolve(),
    onChange: () => () => undefined,
  };

  async serve(path: string, work: Work, inputSchema: JsonSchema | null = null): Promise<this> {
    const consumer = this.consumer(
      `http-server://127.0.0.1:0${path}`,
      work,
      `w${this.started.length}`,
      inputSchema,
    );
    await consumer.start();
    this.started.push(consumer);
    this.base = new URL(consumer.address ?? '').origin;
    return this;
  }

  fetch(path: string, init?: RequestInit): Promise<Response> {
    return fetch(`${this.base}${path}`, init);
  }
}

describeComponent(
  () => new Bench().component,
  'http-server://127.0.0.1:8080/orders/{id}',
  'http-server://[::1]:8080/?method=GET&match-prefix=true',
);

let bench = new Bench();
afterEach(async () => {
  const { started, component } = bench;
  bench = new Bench();
  await Promise.all(started.map((consumer) => consumer.stop()));
  await component.close();
});

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  const gate = new EventEmitter();
  return { promise: once(gate, 'open').then(() => undefined), resolve: () => void gate.emit('open') };
}

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});

describe('http-server: what the workflow gets', () => {
  it('is the body, and query, path and headers apart', async () => {
    let seen: Exchange | undefined;
    await bench.serve('/orders/{id}', (exchange) => {
      seen = exchange;
    });
    await bench.fetch('/orders/a%20b?q=1&q=2&HelixHttpStatus=500', {
      ...json(
        { a: 1 },
        { 'X-Intent': 'buy', 'HELIX-Mcp': 'x', 'http.query.q': 'forged', HelixHttpStatus: '201' },
      ),
    });
    expect(seen?.body).toEqual({ a: 1 });
    const headers = seen?.headers;
    expect(headers?.get('http.query.q')).toEqual(['1', '2']);
    expect(headers?.get('http.path.id')).toBe('a b');
    expect(headers?.get('x-intent')).toBe('buy');
    expect([...(headers?.entries() ?? [])].filter(([name]) => /helix/i.test(name))).toEqual([]);
    expect(seen?.properties.get('attributes')).toMatchObject({
      method: 'POST',
      requestPath: '/orders/a%20b',
      queryParams: { q: ['1', '2'] },
      uriParams: { id: 'a b' },
      headers: { 'x-intent': 'buy' },
      remoteAddress: '127.0.0.1',
    });
  });

  it('is null without a body, and every byte of one', async () => {
    await bench.serve('/echo', (exchange) => exchange.body);
    expect((await bench.fetch('/echo')).status).toBe(204);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const reply = await bench.fetch('/echo', {
      method: 'POST',
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(reply.headers.get('content-type')).toBe('application/octet-stream');
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes);
  });

  it('never is the key of the door', async () => {
    let headers: Record<string, unknown> = {};
    await bench.serve('/x?api_keys=k1', (exchange) => {
      headers = exchange.headers.toObject();
    });
    await bench.fetch('/x', { headers: { authorization: 'Bearer k1', 'x-api-key': 'k1', 'x-other': '1' } });
    expect(headers).toMatchObject({ 'x-other': '1' });
    expect(JSON.stringify(headers)).not.toContain('k1');
  });
});

describe('http-server: the reply', () => {
  it('holds bytes inside JSON as base64', async () => {
    await bench.serve('/', () => ({ file: Buffer.from('hello'), parts: [new Uint8Array([255])] }));
    expect(await (await bench.fetch('/')).json()).toEqual({ file: 'aGVsbG8=', parts: ['/w=='] });
  });

  it.each([
    ['an object', { a: 1 }, 'application/json', '{"a":1}'],
    ['a list', [1], 'application/json', '[1]'],
    ['a number', 7, 'application/json', '7'],
    ['false', false, 'application/json', 'false'],
    ['text', 'h\u00e9', 'text/plain; charset=utf-8', 'h\u00e9'],
    ['empty text', '', 'text/plain; charset=utf-8', ''],
  ])('of %s', async (_, body, type, text) => {
    await bench.serve('/x', () => body);
    const reply = await bench.fetch('/x');
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([200, type, text]);
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('takes status, content type and response headers from the workflow, and gives none of the others away', async () => {
    await bench.serve('/x', (exchange) => {
      exchange.headers.set('HelixHttpStatus', 201);
      exchange.headers.set('Content-Type', 'text/html');
      exchange.headers.set('Location', '/x/1');
      exchange.headers.set('http.response.X-Total', 3);
      exchange.headers.set('Authorization', 'Bearer downstream');
      return '<p>\u00e9</p>';
    });
    const reply = await bench.fetch(
      '/x',
      json({}, { 'x-inbound': 'echo me not', 'cache-control': 'no-cache' }),
    );
    expect(reply.status).toBe(201);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('location')).toBe('/x/1');
    expect(reply.headers.get('x-total')).toBe('3');
    expect(reply.headers.get('authorization')).toBeNull();
    expect(reply.headers.get('x-inbound')).toBeNull();
    expect(reply.headers.get('cache-control')).toBeNull();
    expect(await reply.text()).toBe('<p>\u00e9</p>');
  });

  it('is written in the charset it names', async () => {
    await bench.serve('/x?produces=text/plain;charset%3Diso-8859-1', () => '\u00e9');
    const reply = await bench.fetch('/x');
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(Buffer.from([0xe9]));
  });

  it('has no body for HEAD', async () => {
    await bench.serve('/x', () => 'text');
    const reply = await bench.fetch('/x', { method: 'HEAD' });
    expect([reply.status, reply.headers.get('content-length'), await reply.text()]).toEqual([200, '4', '']);
  });

  it.each([
    [
      'a circle',
      () => {
        const body: { self?: unknown } = {};
        body.self = body;
        return body;
      },
    ],
    ['a big integer', () => ({ n: 1n })],
    [
      'a status that is none',
      (exchange: Exchange): void => exchange.headers.set('HelixHttpStatus', 'teapot'),
    ],
    [
      'a header that would split the reply',
      (exchange: Exchange): void => exchange.headers.set('Location', '/a\r\nX: y'),
    ],
  ])('is a problem for %s', async (_, work) => {
    await bench.serve('/x', work);
    const reply = await bench.fetch('/x');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
  });
});

const problem = async (path: string, init?: RequestInit): Promise<Record<string, unknown>> => {
  const reply = await bench.fetch(path, init);
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  const body = (await reply.json()) as Record<string, unknown>;
  expect(body['status']).toBe(reply.status);
  return { ...body, reply };
};

describe('http-server: failures', () => {
  it('tell no secret that the log knows of', async () => {
    await bench.serve('/?expose-errors=true', () => {
      throw new HelixError('ENGINE.THROWN', 'refused: key-of-the-upstream', {
        cause: new Error('x-api-key: key-of-the-upstream'),
      });
    });
    const problem = await (await bench.fetch('/')).text();
    expect(problem).toContain('refused: [secret]');
    expect(problem).not.toContain('key-of-the-upstream');
  });

  it('hide what is for the operator and name the step and the request', async () => {
    await bench.serve('/x', () => {
      throw new Error('password of db is hunter2');
    });
    const found = await problem('/x');
    expect(found).toMatchObject({
      status: 500,
      code: 'ENGINE.INTERNAL',
      detail: 'The operation failed on the server.',
      step: '/workflows/w0/steps/set-body[0]',
    });
    expect(found['requestId']).toBe((found['reply'] as Response).headers.get('x-request-id'));
    expect(JSON.stringify(found)).not.toContain('hunter2');
    expect(bench.logged).toHaveLength(1);
  });

  it('show it with expose-errors, and still no stack', async () => {
    await bench.serve('/x?expose-errors', () => {
      throw new HelixError('MCP.CONNECT_FAILED', 'inner', { details: { at: 1 }, cause: new Error('deeper') });
    });
    const found = await problem('/x');
    expect(found).toMatchObject({ status: 502, detail: 'inner', details: { at: 1 }, causes: ['deeper'] });
    expect(JSON.stringify(found)).not.toContain('.ts:');
  });

  it('take the status that the workflow chose', async () => {
    await bench.serve('/x', (exchange) => {
      exchange.headers.set('HelixHttpStatus', 409);
      throw new HelixError('ENGINE.THROWN', 'already there');
    });
    expect(await problem('/x')).toMatchObject({ status: 409, detail: 'already there' });
  });

  it('say when to come again', async () => {
    await bench.serve('/x', () => {
      throw new HelixError('ENGINE.OVERLOADED', 'full', { details: { retryAfterSeconds: 3 } });
    });
    const reply = await bench.fetch('/x');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '3']);
  });

  it('of the schema are 422 with JSON Pointers, and nothing runs', async () => {
    let ran = false;
    await bench.serve('/x', () => (ran = true), { type: 'object' });
    expect(await problem('/x', json({}))).toMatchObject({
      status: 422,
      errors: [{ pointer: '/name', code: 'required', detail: 'is missing' }],
    });
    expect(ran).toBe(false);
    expect((await bench.fetch('/x', json({ name: 'a' }))).status).toBe(200);
    expect((await bench.fetch('/x')).status).toBe(405);
  });

  it.each([
    ['bad JSON', '/x', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['a bad query', '/x?a=%zz', {}, 400],
    ['a bad path', '/%zz', {}, 400],
    ['an unknown path', '/y', {}, 404],
    ['another method', '/x', { method: 'PUT' }, 405],
    ['another type', '/x', { method: 'POST', body: 'a', headers: { 'content-type': 'text/plain' } }, 415],
    ['a type that is none', '/x', { method: 'POST', body: 'a', headers: { 'content-type': 'text' } }, 415],
    ['compression', '/x', { method: 'POST', body: 'a', headers: { 'content-encoding': 'gzip' } }, 415],
    [
      'too much',
      '/x',
      { method: 'POST', body: `"${'a'.repeat(100)}"`, headers: { 'content-type': 'application/json' } },
      413,
    ],
  ])('of %s', async (_, path, init, status) => {
    await bench.serve('/x?consumes=application/json&max-body-bytes=100', () => 1);
    const found = await problem(path, init);
    expect(found['status']).toBe(status);
    const allow = status === 405 ? 'GET, POST, HEAD, OPTIONS' : null;
    expect((found['reply'] as Response).headers.get('allow')).toBe(allow);
  });
});

describe('http-server: bodies that are too large', () => {
  it('are refused before they are sent when the client asks first', async () => {
    await bench.serve('/x?max-body-bytes=10', () => 1);
    const request = httpRequest(`${bench.base}/x`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': '1000000' },
    });
    let invited = false;
    request.on('continue', () => (invited = true));
    request.flushHeaders();
    const [response] = (await once(request, 'response')) as [{ statusCode: number }];
    expect([response.statusCode, invited]).toEqual([413, false]);
    request.destroy();
  });

  it('are cut where they grow too large without having said so', async () => {
    await bench.serve('/x?max-body-bytes=1000', () => 1);
    const request = httpRequest(`${bench.base}/x`, { method: 'POST' });
    request.on('error', () => undefined);
    request.write('a'.repeat(2000));
    const [response] = (await once(request, 'response')) as [
      { statusCode: number; headers: Record<string, string> },
    ];
    expect([response.statusCode, response.headers['connection']]).toEqual([413, 'close']);
    request.destroy();
  });

  it('are invited when they fit', async () => {
    await bench.serve('/x', (exchange) => exchange.body);
    const request = httpRequest(`${bench.base}/x`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-type': 'text/plain' },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('body');
    const [response] = (await once(request, 'response')) as [AsyncIterable<Buffer>];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('body');
  });
});

describe('http-server: admission', () => {
  it('answers a preflight before it asks for a key, and lets the page read refusals', async () => {
    await bench.serve('/x?api_keys=k&cors-origins=https://app.example', () => 1);
    const origin = { origin: 'https://app.example' };
    const preflight = await bench.fetch('/x', {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'x-api-key',
    ]);
    const refused = await bench.fetch('/x', { headers: origin });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect((await bench.fetch('/x', { headers: { ...origin, 'x-api-key': 'k' } })).status).toBe(200);
  });

  it('refuses pages of elsewhere on loopback', async () => {
    let ran = false;
    await bench.serve('/x', () => (ran = true));
    const reply = await bench.fetch('/x', { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect([reply.status, ran]).toEqual([403, false]);
  });

  it('limits the rate', async () => {
    await bench.serve('/x?rate_limit=2', () => 1);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await bench.fetch('/x')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('http-server: time and leaving', () => {
  it('answers 504 at once when the time is over, and aborts the work', async () => {
    let signal: AbortSignal | undefined;
    await bench.serve('/x?timeout=5s', async (exchange) => {
      ({ signal } = exchange);
      queueMicrotask(() => bench.scheduled[0]?.task());
      await new Promise<void>(() => undefined);
    });
    const reply = await bench.fetch('/x');
    expect([reply.status, signal?.aborted]).toEqual([504, true]);
    expect(signal?.reason).toMatchObject({ code: 'ENGINE.TIMED_OUT' });
  });

  it('takes its timer back', async () => {
    let during = 0;
    await bench.serve('/x', () => {
      during = bench.scheduled.length;
    });
    await bench.fetch('/x');
    expect([during, bench.scheduled.length]).toEqual([0, 0]);
    await bench.serve('/y', async () => {
      await Promise.resolve();
      during = bench.scheduled.length;
    });
    await bench.fetch('/y');
    expect([during, bench.scheduled.length]).toEqual([1, 0]);
  });

  it('aborts the exchange when the client leaves', async () => {
    let aborted: Promise<unknown> | undefined;
    let reason: unknown;
    await bench.serve('/x', async (exchange) => {
      aborted = once(exchange.signal, 'abort');
      client.destroy();
      await aborted;
      reason = exchange.signal.reason;
      return 'too late';
    });
    const client = httpRequest(`${bench.base}/x`);
    client.end();
    await once(client, 'close').catch(() => undefined);
    await bench.started[0]?.stop();
    await aborted;
    expect(reason).toMatchObject({ code: 'ENGINE.CANCELLED' });
    expect(bench.logged).toEqual([]);
  });

  it('does not start when the client leaves in the middle of its body', async () => {
    let ran = false;
    await bench.serve('/x', () => (ran = true));
    const socket = connect(Number(new URL(bench.base).port), '127.0.0.1');
    socket.write('POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf');
    await once(socket, 'connect');
    socket.destroy();
    await bench.started[0]?.stop();
    expect(ran).toBe(false);
  });
});

const serving = (id: string, path: string) => ({ id, from: `http-server://127.0.0.1:0/orders/${path}` });

describe('http-server: listeners', () => {
  it('shares one between the routes of a port and keeps it while one is left', async () => {
    await bench.serve('/a', () => 'a');
    await bench.serve('/b', () => 'b');
    expect(await (await bench.fetch('/a')).text()).toBe('a');
    await bench.started[0]?.stop();
    const stopped = await bench.fetch('/a');
    expect([stopped.status, stopped.headers.get('retry-after'), stopped.headers.get('connection')]).toEqual([
      503,
      '1',
      'close',
    ]);
    bench.workflows.delete('w0');
    expect((await bench.fetch('/a')).status).toBe(404);
    expect(await (await bench.fetch('/b')).text()).toBe('b');
    await bench.started[1]?.stop();
    await expect(bench.fetch('/b')).rejects.toThrow('fetch failed');
  });

  it('lets what is in flight run out, closes its connection and takes nothing new', async () => {
    const entered = deferred();
    const released = deferred();
    await bench.serve('/x', async () => {
      entered.resolve();
      await released.promise;
      return 'done';
    });
    const reply = bench.fetch('/x');
    await entered.promise;
    await bench.started[0]?.stop();
    await expect(bench.fetch('/x')).rejects.toThrow('fetch failed');
    released.resolve();
    const answer = await reply;
    expect([await answer.text(), answer.headers.get('connection')]).toEqual(['done', 'close']);
  });

  it('finds two workflows on one path and method when the workspace is checked, and refuses to start both', async () => {
    const found: string[] = [];
    bench.component.review(
      workspaceOf({
        workflows: [
          serving('first', '{id}?method=GET,PUT'),
          serving('second', '{key}?method=PUT'),
          serving('third', '{key}?method=POST'),
          { ...serving('fourth', '{key}?method=PUT'), disabled: true },
        ],
      }),
      ({ rule, message }) => found.push(`${rule} ${message}`),
    );
    expect(found).toEqual([
      'duplicate-route "second" and "first" both serve /orders/{key} of 127.0.0.1:0: give one another path or method.',
    ]);
    await bench.serve('/orders/{id}', () => 1);
    const second = bench.consumer('http-server://127.0.0.1:0/orders/{key}', () => 1, 'second');
    await expect(second.start()).rejects.toThrow(/"second" and "w0" both serve/);
  });

  it('lets a newer version of a workflow take over without a gap', async () => {
    await bench.serve('/x', () => 'old');
    const next = bench.consumer('http-server://127.0.0.1:0/x', () => 'new', 'w0');
    await next.start();
    await bench.started[0]?.stop();
    bench.started[0] = next;
    expect(await (await bench.fetch('/x')).text()).toBe('new');
  });

  it('says who is in the way when the port is taken', async () => {
    await bench.serve('/x', () => 1);
    const other = new Bench();
    const port = new URL(bench.base).port;
    await expect(other.consumer(`http-server://127.0.0.1:${port}/x`, () => 1).start()).rejects.toThrow(
      /Cannot listen on 127\.0\.0\.1:\d+: something else listens there/,
    );
  });

  it.each(['http-server://8080/x', 'http-server://h/x', 'http-server://h:99999/x', 'http-server://::1:80/x'])(
    'refuses the address %s',
    (uri) => {
      expect(() => bench.component.endpoint(EndpointUri.parse(uri))).toThrow(
        /write http-server:\/\/host:port/,
      );
    },
  );

  it('refuses GET alone with a schema that wants a body', () => {
    expect(() => bench.consumer('http-server://h:1/x?method=GET', () => 1, 'w', { type: 'object' })).toThrow(
      /has none/,
    );
  });
});
