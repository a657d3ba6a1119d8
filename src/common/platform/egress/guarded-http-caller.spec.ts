import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { EgressGuard } from './egress-guard.js';
import { GuardedHttpCaller, type HttpRequest } from './guarded-http-caller.js';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const end of cleanUp.splice(0)) end();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const connections = { count: 0 };
  const server = createServer(answer).listen(0, '127.0.0.1');
  server.on('connection', () => connections.count++);
  await once(server, 'listening');
  cleanUp.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, connections };
}

function caller(allowed: boolean | readonly string[] = ['127.0.0.1']): GuardedHttpCaller {
  const made = new GuardedHttpCaller(new EgressGuard(allowed));
  cleanUp.push(() => made.close());
  return made;
}

const to = (port: number, init: Partial<HttpRequest> = {}): HttpRequest => ({
  url: new URL(`http://127.0.0.1:${port}/p`),
  method: 'GET',
  headers: {},
  body: null,
  maxBytes: 1000,
  signal: new AbortController().signal,
  ...init,
});

describe('calling over HTTP', () => {
  it('sends and receives, bytes unharmed, over one connection', async () => {
    const { port, connections } = await serve((request, response) => {
      response.writeHead(201, { 'x-got': request.headers['x-sent'] ?? '' });
      request.pipe(response);
    });
    const http = caller();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    for (let turn = 0; turn < 3; turn++) {
      const answer = await http.call(to(port, { method: 'POST', headers: { 'x-sent': 'h' }, body: bytes }));
      expect(answer.status).toBe(201);
      expect(answer.headers['x-got']).toBe('h');
      expect(Buffer.from(answer.body).equals(bytes)).toBe(true);
    }
    expect(connections.count).toBe(1);
  });

  it('reaches nothing that the guard refuses', async () => {
    let reached = false;
    const { port } = await serve((_, response) => {
      reached = true;
      response.end();
    });
    await expect(caller(false).call(to(port))).rejects.toMatchObject({
      code: 'HTTP.TARGET_REFUSED',
      message: expect.stringContaining('HELIX_ALLOW_PRIVATE_EGRESS') as string,
    });
    expect(reached).toBe(false);
  });

  it.each([
    ['declared', { 'content-length': '5000' }],
    ['streamed', {}],
  ])('stops reading a reply that is %s too large', async (_how, headers) => {
    const { port } = await serve((_request, response) => {
      response.writeHead(200, headers);
      response.end(Buffer.alloc(5000));
    });
    await expect(caller().call(to(port))).rejects.toMatchObject({ code: 'HTTP.UNREADABLE_REPLY' });
  });

  it('says of a refused connection that nothing was sent', async () => {
    const { port } = await serve((_, response) => response.end());
    for (const end of cleanUp.splice(0)) end();
    await expect(caller().call(to(port))).rejects.toMatchObject({
      code: 'HTTP.TARGET_UNREACHABLE',
      details: { reason: 'ECONNREFUSED', unsent: true },
    });
  });

  it('says of a connection that breaks that the outcome is not known', async () => {
    const { port } = await serve((request) => request.socket.destroy());
    const refusal: unknown = await caller()
      .call(to(port))
      .catch((thrown: unknown) => thrown);
    expect(refusal).toMatchObject({ code: 'HTTP.TARGET_UNREACHABLE' });
    expect(refusal).not.toHaveProperty('details.unsent');
  });

  it('ends with its signal, while it waits and while it reads', async () => {
    for (const begin of [false, true]) {
      const controller = new AbortController();
      const { port } = await serve((_, response) => {
        if (begin) response.write('half');
        setImmediate(() => controller.abort());
      });
      await expect(caller().call(to(port, { signal: controller.signal }))).rejects.toMatchObject({
        code: 'ENGINE.CANCELLED',
      });
    }
  });
});
