import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { Exchange } from '../../common/engine/model/exchange.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { workspaceOf } from '../../common/engine/testing/source.js';
import type { McpAnswer, McpCaller, McpConnection, McpTarget } from './mcp-caller.js';
import { McpComponent } from './mcp.component.js';

type Answer = (tool: string, args: unknown, signal: AbortSignal) => Promise<McpAnswer>;

/** A server that is a function, and the record of what was asked of it. */
class Peer implements McpCaller {
  readonly targets: McpTarget[] = [];
  readonly calls: [tool: string, args: unknown][] = [];
  closed = 0;
  refuse: HelixError | null = null;
  gate: Promise<void> = Promise.resolve();

  /** From now on connecting waits for the returned function. */
  closeGate(): () => void {
    const gate = new EventEmitter();
    this.gate = once(gate, 'open').then(() => undefined);
    return () => void gate.emit('open');
  }

  constructor(private readonly answer: Answer = () => Promise.resolve(said('ok'))) {}

  async connect(target: McpTarget): Promise<McpConnection> {
    this.targets.push(target);
    await this.gate;
    if (this.refuse) throw this.refuse;
    return {
      call: (tool, args, signal) => {
        this.calls.push([tool, args]);
        return this.answer(tool, args, signal);
      },
      close: () => {
        this.closed++;
        return Promise.resolve();
      },
    };
  }
}

const said = (text: string | null, structured?: unknown, isError = false): McpAnswer => ({
  text,
  structured,
  isError,
});
const lost = (unsent?: true): HelixError =>
  new HelixError('MCP.CONNECTION_LOST', 'lost', { details: unsent ? { unsent } : {} });

const clock = { ms: 0, now: (): number => clock.ms };

async function send(
  component: McpComponent,
  uri: string,
  init: { body?: unknown; headers?: Record<string, unknown>; signal?: AbortSignal } = {},
): Promise<Exchange> {
  const exchange = new Exchange({ id: '1', ...init });
  const producer = component.endpoint(EndpointUri.parse(uri)).producer?.();
  try {
    await producer?.(exchange);
  } catch (error) {
    exchange.fail(error);
  }
  return exchange;
}

describeComponent(
  () => new McpComponent(new Peer(), clock),
  'mcp://localhost:8181/search',
  'mcp:///usr/local/bin/mcp-fs/read_file?transport=stdio',
  'mcp://localhost:8181/_unused?transport=sse',
);

describe('mcp:// address', () => {
  it.each([
    ['mcp://localhost:8181/search', 'http://localhost:8181', 'search'],
    ['mcp://h:1/api/mcp/search?scheme=https', 'https://h:1/api/mcp', 'search'],
    ['mcp://[::1]:8181/a%20b', 'http://[::1]:8181', 'a b'],
  ])('%s is split at the last slash', async (uri, url, tool) => {
    const peer = new Peer();
    await send(new McpComponent(peer, clock), uri);
    expect(peer.targets[0]).toMatchObject({ transport: 'http', url });
    expect(peer.calls[0]?.[0]).toBe(tool);
  });

  it.each(['mcp://', 'mcp:///search', 'mcp://user:pass@host:1/search', 'mcp://a b/search'])(
    'refuses %s',
    (uri) => {
      const component = new McpComponent(new Peer(), clock);
      expect(() => component.endpoint(EndpointUri.parse(uri))).toThrow(/write mcp:\/\/host:port\/tool/);
    },
  );

  it('has no consumer', () => {
    const endpoint = new McpComponent(new Peer(), clock).endpoint(EndpointUri.parse('mcp://h:1/x'));
    expect('consumer' in endpoint).toBe(false);
  });

  it('sends its token and headers, and shows neither', async () => {
    const peer = new Peer();
    const uri = EndpointUri.parse('mcp://h:1/x', { bearer: 's3cret', headers: { 'X-API-Key': 'k3y' } });
    const exchange = new Exchange({ id: '1' });
    await new McpComponent(peer, clock).endpoint(uri).producer?.()(exchange);
    expect(peer.targets[0]).toMatchObject({
      headers: { Authorization: 'Bearer s3cret', 'X-API-Key': 'k3y' },
    });
    expect(uri.toString()).not.toMatch(/s3cret|k3y/);
  });
});

describe('mcp:// body', () => {
  it.each([
    ['a map', { a: [1] }, { a: [1] }],
    ['JSON text', '{"a":1}', { a: 1 }],
    ['JSON bytes', Buffer.from('{"a":1}'), { a: 1 }],
    ['text', 'find it', { input: 'find it' }],
    ['bytes', Buffer.from('find it'), { input: 'find it' }],
    ['JSON that is no map', '[1,2]', { input: '[1,2]' }],
    ['the text null', 'null', {}],
    ['nothing', null, {}],
    ['a number', 5, { input: '5' }],
    ['a truth value', false, { input: 'false' }],
    ['a list', [1, { a: 2 }], { input: '[1,{"a":2}]' }],
  ])('of %s becomes arguments', async (_, body, args) => {
    const peer = new Peer();
    await send(new McpComponent(peer, clock), 'mcp://h:1/x', { body });
    expect(peer.calls).toEqual([['x', args]]);
  });

  it.each([
    ['text before structured content', said('a', { b: 1 }), 'a'],
    ['structured content as JSON', said(null, { b: 1 }), '{"b":1}'],
    ['structured content where the text is empty', said('', [1]), '[1]'],
    ['nothing', said(null), ''],
  ])('is %s', async (_, answer, body) => {
    const exchange = await send(
      new McpComponent(new Peer(() => Promise.resolve(answer)), clock),
      'mcp://h:1/x',
    );
    expect(exchange.body).toBe(body);
    expect(exchange.headers.get('HelixMcpIsError')).toBe(false);
    expect(exchange.failure).toBeNull();
  });
});

describe('mcp:// headers', () => {
  it('let the exchange choose the tool, and say which it was', async () => {
    const peer = new Peer();
    const component = new McpComponent(peer, clock);
    const headers = { helixmcptoolname: 'translate' };
    const exchange = await send(component, 'mcp://h:1/_unused', { headers });
    expect(peer.calls[0]?.[0]).toBe('translate');
    expect(exchange.headers.get('HelixMcpToolName')).toBe('translate');
    expect((await send(component, 'mcp://h:1/search')).headers.get('HelixMcpToolName')).toBe('search');
  });

  it('that tell what was called choose nothing for the next call', async () => {
    const peer = new Peer();
    const component = new McpComponent(peer, clock);
    const called = await send(component, 'mcp://h:1/search');
    await component.endpoint(EndpointUri.parse('mcp://h:1/translate')).producer?.()(called);
    expect(peer.calls.map(([tool]) => tool)).toEqual(['search', 'translate']);
    called.headers.set('HelixMcpToolName', 'chosen');
    for (const path of ['a', 'b'])
      await component.endpoint(EndpointUri.parse(`mcp://h:1/${path}`)).producer?.()(called);
    expect(peer.calls.slice(2).map(([tool]) => tool)).toEqual(['chosen', 'chosen']);
  });

  it('must name the tool where the URI does not', async () => {
    const exchange = await send(new McpComponent(new Peer(), clock), 'mcp://h:1/');
    expect(exchange.failure?.message).toMatch(/set the header HelixMcpToolName/);
  });
});

describe('mcp:// failures', () => {
  it.each([
    ['its text', said('no such city', undefined, true), 'no such city'],
    ['a sentence', said(null, undefined, true), 'mcp tool returned error with no message'],
  ])('of the tool fail the exchange and leave %s as the body', async (_, answer, text) => {
    const exchange = await send(
      new McpComponent(new Peer(() => Promise.resolve(answer)), clock),
      'mcp://h:1/x',
    );
    expect(exchange.failure).toMatchObject({ code: 'MCP.TOOL_FAILED', message: text });
    expect(exchange.body).toBe(text);
    expect(exchange.headers.get('HelixMcpIsError')).toBe(true);
  });

  it('of the first connection answer every later call, until the workflow is restarted', async () => {
    const peer = new Peer();
    peer.refuse = new HelixError('MCP.CONNECT_FAILED', 'down');
    const component = new McpComponent(peer, clock);
    const uri = 'mcp://h:1/x';
    const first = await send(component, uri);
    peer.refuse = null;
    clock.ms += 86_400_000;
    const second = await send(component, uri);
    expect(second.failure).toBe(first.failure);
    expect(peer.targets).toHaveLength(1);
    await component.endpoint(EndpointUri.parse(uri)).reset?.();
    expect((await send(component, uri)).failure).toBeNull();
  });

  it('of the first connection count for retry-after only', async () => {
    const peer = new Peer();
    peer.refuse = new HelixError('MCP.CONNECT_FAILED', 'down');
    const component = new McpComponent(peer, clock);
    const uri = 'mcp://h:1/x?retry-after=30s';
    await send(component, uri);
    peer.refuse = null;
    clock.ms += 29_999;
    expect((await send(component, uri)).failure?.code).toBe('MCP.CONNECT_FAILED');
    clock.ms += 1;
    expect((await send(component, uri)).failure).toBeNull();
  });

  it('of a lost session open no new one', async () => {
    const peer = new Peer(() => Promise.reject(lost(true)));
    const component = new McpComponent(peer, clock);
    for (let i = 0; i < 2; i++) {
      expect((await send(component, 'mcp://h:1/x')).failure?.code).toBe('MCP.CONNECTION_LOST');
    }
    expect(peer.targets).toHaveLength(1);
  });

  it('of a lost session open a new one with reconnect, and repeat only what was not sent', async () => {
    let failures: HelixError[] = [lost(true)];
    const peer = new Peer(() => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve(said('ok'));
    });
    const component = new McpComponent(peer, clock);
    const uri = 'mcp://h:1/x?reconnect=true';
    expect((await send(component, uri)).body).toBe('ok');
    expect([peer.targets.length, peer.closed, peer.calls.length]).toEqual([2, 1, 2]);
    failures = [lost()];
    expect((await send(component, uri)).failure?.code).toBe('MCP.CONNECTION_LOST');
    expect(peer.calls).toHaveLength(3);
    expect((await send(component, uri)).body).toBe('ok');
    expect(peer.targets).toHaveLength(3);
  });
});

describe('mcp:// session', () => {
  it('is opened by the first call and shared by all of the endpoint', async () => {
    const peer = new Peer();
    const component = new McpComponent(peer, clock);
    await Promise.all([
      send(component, 'mcp://h:1/x'),
      send(component, 'mcp://h:1/x'),
      send(component, 'mcp://h:1/x'),
    ]);
    expect([peer.targets.length, peer.calls.length]).toEqual([1, 3]);
    await send(component, 'mcp://h:1/y');
    expect(peer.targets).toHaveLength(2);
  });

  it('is not lost to the others when the one that opens it leaves', async () => {
    const peer = new Peer();
    const open = peer.closeGate();
    const component = new McpComponent(peer, clock);
    const leaving = new AbortController();
    const first = send(component, 'mcp://h:1/x', { signal: leaving.signal });
    const second = send(component, 'mcp://h:1/x');
    leaving.abort();
    expect((await first).failure?.code).toBe('ENGINE.CANCELLED');
    open();
    expect((await second).body).toBe('ok');
    expect(peer.targets).toHaveLength(1);
  });

  it('takes so many calls at a time, and who leaves the queue is not sent', async () => {
    const answers: ((answer: McpAnswer) => void)[] = [];
    const peer = new Peer(() => new Promise((resolve) => answers.push(resolve)));
    const component = new McpComponent(peer, clock);
    const leaving = new AbortController();
    const uri = 'mcp://h:1/x?max-in-flight=1';
    const first = send(component, uri, { body: { n: 1 } });
    const second = send(component, uri, { body: { n: 2 }, signal: leaving.signal });
    const third = send(component, uri, { body: { n: 3 } });
    leaving.abort();
    expect((await second).failure?.code).toBe('ENGINE.CANCELLED');
    answers[0]?.(said('1'));
    expect((await first).body).toBe('1');
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.(said('3'));
    expect((await third).body).toBe('3');
    expect(peer.calls.map(([, args]) => args)).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it('is closed with the component, one that is still being opened too', async () => {
    const peer = new Peer();
    const component = new McpComponent(peer, clock);
    await send(component, 'mcp://h:1/x');
    const open = peer.closeGate();
    const late = send(component, 'mcp://h:1/y');
    await expect.poll(() => peer.targets.length).toBe(2);
    const tooLate = send(component, 'mcp://h:1/z');
    const closed = component.close();
    open();
    await Promise.all([closed, late]);
    expect(peer.closed).toBe(2);
    expect((await tooLate).failure?.code).toBe('ENGINE.STOPPING');
    expect(peer.targets).toHaveLength(2);
  });

  it('is closed when more addresses were used than are kept', async () => {
    const peer = new Peer();
    const component = new McpComponent(peer, clock);
    for (let i = 0; i < 201; i++) await send(component, `mcp://h:1/tool${i}`);
    await expect.poll(() => peer.closed).toBe(1);
  });
});

const adopted = (peer: Peer, from: string, ...steps: unknown[]): McpComponent => {
  const component = new McpComponent(peer, clock);
  component.adopt(workspaceOf({ workflows: [{ id: 'w', from, steps }] }), { number: 1, oldest: 1 });
  return component;
};

describe('what the workspace says', () => {
  it('is the only source of commands', async () => {
    const peer = new Peer();
    const component = adopted(
      peer,
      'direct://a',
      { target: 'mcp:///bin/server/read?transport=stdio' },
      {
        choice: {
          when: [
            {
              starlang: 'true',
              steps: [{ target: { uri: 'mcp:///bin/other/read', parameters: { transport: 'stdio' } } }],
            },
          ],
        },
      },
    );
    expect((await send(component, 'mcp:///bin/server/read?transport=stdio')).failure).toBeNull();
    expect((await send(component, 'mcp:///bin/other/read?transport=stdio')).failure).toBeNull();
    for (const uri of [
      'mcp:///bin/sh/read?transport=stdio',
      'mcp:///bin/server/read?transport=stdio&args=-e,evil',
    ]) {
      expect((await send(component, uri)).failure).toMatchObject({ code: 'MCP.EGRESS_REFUSED' });
    }
    expect(peer.targets.map((target) => target.transport === 'stdio' && target.command)).toEqual([
      '/bin/server',
      '/bin/other',
    ]);
  });

  it.each([
    ['mcp-server://127.0.0.1:8181', 'mcp://127.0.0.1:8181/x', true],
    ['mcp-server://0.0.0.0:8181?name=a', 'mcp://localhost:8181/x', true],
    ['mcp-server://localhost:8181', 'mcp://[::1]:8181/x', true],
    ['mcp-server://127.0.0.1:8181', 'mcp://127.0.0.1:8182/x', false],
    ['mcp-server://0.0.0.0:8181', 'mcp://10.0.0.1:8181/x', false],
    ['mcp-server://0.0.0.0:8181', 'mcp://169.254.169.254:8181/x', false],
    ['mcp-server://stdio', 'mcp://127.0.0.1:8181/x', false],
    ['http-server://127.0.0.1:8181/x', 'mcp://127.0.0.1:8181/x', false],
  ])('of %s makes %s its own: %s', async (from, uri, isOwn) => {
    const peer = new Peer();
    await send(adopted(peer, from), uri);
    expect(peer.targets[0]).toMatchObject({ isOwn });
  });
});
