import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startCaller, type CallerStand, type CallerStandInit } from './support/caller-stand.js';
import { startPeer, type Peer, type Tool } from './support/sdk-peer.js';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

async function peerWith(tools: Record<string, Tool> = {}, kind: 'http' | 'sse' = 'http'): Promise<Peer> {
  const peer = await startPeer(tools, kind);
  cleanUp.push(() => peer.close());
  return peer;
}

async function callerOf(target: unknown, init: Omit<CallerStandInit, 'target'> = {}): Promise<CallerStand> {
  const caller = await startCaller({ target, ...init });
  cleanUp.push(() => caller.stop());
  return caller;
}

function gate(): { readonly promise: Promise<void>; resolve(): void } {
  const event = new EventEmitter();
  return { promise: once(event, 'open').then(() => undefined), resolve: () => void event.emit('open') };
}

describe.each(['http', 'sse'] as const)('mcp:// over %s', (kind) => {
  const uri = (peer: Peer, tool: string, more = ''): string =>
    `mcp://${peer.address}/${tool}?transport=${kind}${more}`;

  it('calls a tool, in one session and under its own name', async () => {
    const peer = await peerWith({}, kind);
    const caller = await callerOf(uri(peer, 'echo'));
    const first = await caller.ask({ query: 'a', limit: 5 });
    const second = await caller.ask('plain');
    expect([first.body, second.body]).toEqual(['{"query":"a","limit":5}', '{"input":"plain"}']);
    expect(first.headers.get('HelixMcpToolName')).toBe('echo');
    expect(peer.clients).toEqual(['helix-mcp-client/1.0.0']);
  });

  it('connects with the first call and not before', async () => {
    const peer = await peerWith({}, kind);
    const caller = await callerOf(uri(peer, 'echo'));
    expect(peer.requests).toHaveLength(0);
    await caller.ask({});
    expect(peer.sessions.size).toBe(1);
  });

  it('ends its session when the engine stops', async () => {
    const peer = await peerWith({}, kind);
    const caller = await startCaller({ target: uri(peer, 'echo') });
    await caller.ask({});
    await caller.stop();
    await expect.poll(() => peer.sessions.size).toBe(0);
  });

  it('fails the exchange with what the tool says of its failure', async () => {
    const peer = await peerWith(
      { fail: () => ({ content: [{ type: 'text', text: 'no such city' }], isError: true }) },
      kind,
    );
    const caller = await callerOf(uri(peer, 'fail'));
    const exchange = await caller.ask({});
    expect(exchange.failure).toMatchObject({ code: 'MCP.TOOL_FAILED', message: 'no such city' });
    expect([exchange.body, exchange.headers.get('HelixMcpIsError')]).toEqual(['no such city', true]);
  });

  it('fails the exchange with the refusal of a tool that does not exist', async () => {
    const caller = await callerOf(uri(await peerWith({}, kind), 'nothing'));
    expect((await caller.ask({})).failure).toMatchObject({ code: 'MCP.TOOL_FAILED' });
  });

  it('sends its credentials with every request', async () => {
    const peer = await peerWith({}, kind);
    const caller = await callerOf({
      uri: uri(peer, 'echo'),
      parameters: { bearer: 't0ken', headers: { 'X-Tenant': 'a' } },
    });
    await caller.ask({});
    for (const { headers } of peer.requests) {
      expect(headers).toMatchObject({ authorization: 'Bearer t0ken', 'x-tenant': 'a' });
    }
  });

  it('cancels the call when the exchange is aborted, and goes on', async () => {
    const cancelled = gate();
    const started = gate();
    const peer = await peerWith(
      {
        hang: async ({ signal }) => {
          started.resolve();
          await once(signal, 'abort');
          cancelled.resolve();
          return { content: [] };
        },
      },
      kind,
    );
    const caller = await callerOf(uri(peer, 'hang'));
    const leaving = new AbortController();
    const exchange = caller.ask({}, { signal: leaving.signal });
    await started.promise;
    leaving.abort();
    expect((await exchange).failure?.code).toBe('ENGINE.CANCELLED');
    await cancelled.promise;
    const next = await caller.ask({}, { headers: { HelixMcpToolName: 'echo' } });
    expect(next.body).toBe('{}');
  });

  it('fails at once when the connection breaks under a call', async () => {
    const started = gate();
    const peer = await peerWith(
      {
        hang: async () => {
          started.resolve();
          await new Promise(() => undefined);
          return { content: [] };
        },
      },
      kind,
    );
    const caller = await callerOf(uri(peer, 'hang', '&timeout=20s'));
    const exchange = caller.ask({});
    await started.promise;
    const at = performance.now();
    peer.cut();
    expect((await exchange).failure).toMatchObject({ code: 'MCP.CONNECTION_LOST' });
    expect(performance.now() - at).toBeLessThan(10_000);
  });

  it('matches 200 answers that come in another order', async () => {
    const waiting: (() => void)[] = [];
    const peer = await peerWith(
      {
        late: async ({ args }) => {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            if (waiting.length === 50) for (const release of waiting.splice(0).toReversed()) release();
          });
          return { content: [{ type: 'text', text: String(args['n']) }] };
        },
      },
      kind,
    );
    const caller = await callerOf(uri(peer, 'late', '&max-in-flight=50'));
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const exchanges = await Promise.all(numbers.map((n) => caller.ask({ n })));
    expect(exchanges.map(({ body }) => body)).toEqual(numbers.map(String));
    expect(peer.sessions.size).toBe(1);
  });
});

describe('mcp:// and a server that comes and goes', () => {
  it('answers every call with the first failure to connect, until the workflow is restarted', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const caller = await callerOf(`mcp://127.0.0.1:${port}/echo`);
    expect((await caller.ask({})).failure).toMatchObject({ code: 'MCP.CONNECT_FAILED' });
    const late = createServer((_, response) => response.writeHead(500).end()).listen(port, '127.0.0.1');
    await once(late, 'listening');
    let asked = 0;
    late.on('request', () => asked++);
    expect((await caller.ask({})).failure).toMatchObject({ code: 'MCP.CONNECT_FAILED' });
    expect(asked).toBe(0);
    await caller.engine.restart('ask');
    await caller.ask({});
    expect(asked).toBeGreaterThan(0);
    late.closeAllConnections();
    late.close();
  });

  it('fails while the server does not know the session', async () => {
    const peer = await peerWith();
    const caller = await callerOf(`mcp://${peer.address}/echo`);
    await caller.ask({});
    peer.forget();
    for (let i = 0; i < 2; i++) {
      expect((await caller.ask({})).failure).toMatchObject({
        code: 'MCP.CONNECTION_LOST',
        details: { unsent: true },
      });
    }
    expect(peer.clients).toHaveLength(1);
  });

  it('opens a new session with reconnect=true', async () => {
    const peer = await peerWith();
    const caller = await callerOf(`mcp://${peer.address}/echo?reconnect=true`);
    await caller.ask({});
    peer.forget();
    expect((await caller.ask({ again: true })).body).toBe('{"again":true}');
    expect(peer.clients).toHaveLength(2);
  });

  it('is kept waiting by signs of progress, and by nothing else', async () => {
    const peer = await peerWith({
      slow: async (asked) => {
        for (let i = 0; i < 6; i++) {
          await new Promise((resolve) => setTimeout(resolve, 150));
          await asked.progress();
        }
        return { content: [{ type: 'text', text: 'done' }] };
      },
      silent: () => new Promise(() => undefined),
    });
    const slow = await callerOf(`mcp://${peer.address}/slow?timeout=600ms`);
    expect((await slow.ask({})).body).toBe('done');
    const silent = await callerOf(`mcp://${peer.address}/silent?timeout=600ms`);
    expect((await silent.ask({})).failure).toMatchObject({ code: 'ENGINE.TIMED_OUT' });
  });
});

describe('mcp:// and where it may go', () => {
  it('refuses loopback and says which variable allows it', async () => {
    const peer = await peerWith();
    const caller = await callerOf(`mcp://${peer.address}/echo`, { egress: false });
    const { failure } = await caller.ask({});
    expect(failure).toMatchObject({ code: 'MCP.EGRESS_REFUSED' });
    expect(failure?.message).toContain('HELIX_ALLOW_PRIVATE_EGRESS');
    expect(failure?.publicMessage).not.toContain('127.0.0.1');
    expect(peer.requests).toHaveLength(0);
  });

  it('does not follow a server to another host', async () => {
    const elsewhere = await peerWith();
    const server = createServer((_, response) =>
      response.writeHead(307, { location: `http://${elsewhere.address}/` }).end(),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const caller = await callerOf(`mcp://127.0.0.1:${(server.address() as AddressInfo).port}/echo`);
    expect((await caller.ask({})).failure).toMatchObject({ code: 'MCP.CONNECT_FAILED' });
    expect(elsewhere.requests).toHaveLength(0);
    server.closeAllConnections();
    server.close();
  });
});
