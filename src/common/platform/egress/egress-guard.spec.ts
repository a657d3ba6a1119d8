import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { EgressGuard, type Resolver } from './egress-guard.js';
import { guardedFetch, type GuardedFetch } from './guarded-fetch.js';

const names =
  (...addresses: string[]): Resolver =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address })));

describe('outgoing addresses', () => {
  it.each([
    '127.0.0.1',
    '[::1]',
    '10.1.2.3',
    '192.168.0.1',
    '172.31.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:7f00:1::]',
    '0.0.0.0',
    '[::]',
    '224.0.0.1',
  ])('refuse %s and say which variable allows it', async (host) => {
    await expect(new EgressGuard(false).addressesOf(host)).rejects.toMatchObject({
      code: 'MCP.EGRESS_REFUSED',
      message: expect.stringContaining('HELIX_ALLOW_PRIVATE_EGRESS') as string,
    });
  });

  it.each([
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://127.0.0.1./',
  ])('refuse loopback in its disguise %s', async (url) => {
    const { hostname } = new URL(url);
    await expect(new EgressGuard(false).addressesOf(hostname)).rejects.toMatchObject({
      code: 'MCP.EGRESS_REFUSED',
    });
  });

  it('let public ones pass', async () => {
    expect(await new EgressGuard(false).addressesOf('8.8.8.8')).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it('are judged after the name is resolved, and only public ones of a mixed answer are used', async () => {
    await expect(new EgressGuard(false, names('10.0.0.1')).addressesOf('a.example')).rejects.toMatchObject({
      details: { host: 'a.example', kind: 'private' },
    });
    const mixed = new EgressGuard(false, names('10.0.0.1', '2606:4700::1111'));
    expect(await mixed.addressesOf('a.example')).toEqual([{ address: '2606:4700::1111', family: 6 }]);
  });

  it.each([
    [true, '10.0.0.1'],
    [['10.0.0.0/8'], '10.0.0.1'],
    [['10.0.0.0/8'], '[::ffff:10.0.0.1]'],
    [['kb.internal'], 'KB.internal'],
    [['*.internal'], 'kb.internal'],
    [['127.0.0.1'], '127.0.0.1'],
  ])('are allowed by %j: %s', async (allowed, host) => {
    expect(await new EgressGuard(allowed, names('10.0.0.1')).addressesOf(host)).toHaveLength(1);
  });

  it.each([
    [['10.0.0.0/8'], '127.0.0.1'],
    [['*.internal'], 'internal'],
    [['internal'], 'kb.internal'],
    [['kb.internal'], 'kb.internal.evil.com'],
  ])('are not allowed by %j: %s', async (allowed, host) => {
    const guard = new EgressGuard(allowed, names('127.0.0.1'));
    await expect(guard.addressesOf(host)).rejects.toMatchObject({ code: 'MCP.EGRESS_REFUSED' });
  });
});

describe('guarded fetch', () => {
  const cleanUp: (() => void)[] = [];
  afterEach(() => {
    for (const end of cleanUp.splice(0)) end();
  });

  const listen = async (
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<number> => {
    const server: Server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUp.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  };
  const fetcher = (guard: EgressGuard | null, maxBytes?: number): GuardedFetch => {
    const made = guardedFetch({ guard, ...(maxBytes === undefined ? {} : { maxBytes }) });
    cleanUp.push(() => made.close());
    return made;
  };

  it('connects to the judged address while the host stays the name', async () => {
    const port = await listen((request, response) => response.end(request.headers.host));
    const { fetch } = fetcher(new EgressGuard(true, names('127.0.0.1')));
    const reply = await fetch(`http://name.example:${port}/`);
    expect(await reply.text()).toBe(`name.example:${port}`);
  });

  it('hostile 45: asks the resolver once per request, so that a name that flips gains nothing', async () => {
    let asked = 0;
    const port = await listen((_, response) => response.end('reached'));
    const flipping: Resolver = () => Promise.resolve([{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1' }]);
    const { fetch } = fetcher(new EgressGuard(['127.0.0.1'], flipping));
    expect(await (await fetch(`http://name.example:${port}/`)).text()).toBe('reached');
    expect(asked).toBe(1);
    await expect(fetch(`http://name.example:${port}/`)).rejects.toMatchObject({ code: 'MCP.EGRESS_REFUSED' });
  });

  it('sends nothing where it may not', async () => {
    let reached = false;
    const port = await listen((_, response) => {
      reached = true;
      response.end();
    });
    await expect(fetcher(new EgressGuard(false)).fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'MCP.EGRESS_REFUSED',
    });
    await expect(fetcher(null).fetch('file:///etc/passwd')).rejects.toThrow(/Only http and https/);
    expect(reached).toBe(false);
  });

  it('returns redirects instead of following them', async () => {
    const port = await listen((_, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    const reply = await fetcher(null).fetch(`http://127.0.0.1:${port}/`);
    expect([reply.status, reply.headers.get('location')]).toEqual([302, 'http://10.0.0.1/']);
  });

  it('sends method, headers and body', async () => {
    const port = await listen((request, response) => {
      response.writeHead(201, {
        'x-method': request.method ?? '',
        'x-type': request.headers['content-type'] ?? '',
      });
      request.pipe(response);
    });
    const reply = await fetcher(null).fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'text/x' },
      body: 'h\u00e9llo',
    });
    expect([reply.status, reply.headers.get('x-method'), reply.headers.get('x-type')]).toEqual([
      201,
      'POST',
      'text/x',
    ]);
    expect(await reply.text()).toBe('h\u00e9llo');
  });

  it('cuts what is larger than allowed', async () => {
    const port = await listen((_, response) => response.end('a'.repeat(100_000)));
    const reply = await fetcher(null, 1000).fetch(`http://127.0.0.1:${port}/`);
    await expect(reply.text()).rejects.toThrow(/larger than 1000 bytes/);
  });

  it('counts a stream of events by its lines', async () => {
    const port = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: 1\n\n'.repeat(1000));
    });
    const { fetch } = fetcher(null, 1000);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toHaveLength(9000);
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const port = await listen(() => stop.abort(new Error('enough')));
    await expect(fetcher(null).fetch(`http://127.0.0.1:${port}/`, { signal: stop.signal })).rejects.toThrow(
      'enough',
    );
  });
});
