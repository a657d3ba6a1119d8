import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startStand, type Stand } from './support/mcp-stand.js';
import { modern, rpc } from './support/raw-http.js';

let stand: Stand;
let next: () => Promise<Record<string, unknown>>;
let entered: () => void;
let aborted: () => void;

beforeEach(async () => {
  stand = await startStand({
    uri: 'mcp-server://stdio?name=helix-stdio&max_body_bytes=5000',
    workflows: [
      { id: 'echo', from: 'direct://echo', 'input-schema': {}, steps: [{ 'set-body': { value: 'done' } }] },
      { id: 'waits', from: 'direct://waits', 'input-schema': {}, steps: [{ target: 'test://waits' }] },
    ],
    processors: {
      waits: (exchange) =>
        new Promise((_resolve, reject) => {
          exchange.signal.addEventListener('abort', () => {
            aborted();
            reject(new Error('aborted'));
          });
          entered();
        }),
    },
  });
  const lines = createInterface({ input: stand.stdout })[Symbol.asyncIterator]();
  next = async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
});

afterEach(() => stand.close());

const write = (...lines: string[]): void => void stand.stdin.write(lines.map((line) => `${line}\n`).join(''));
const hello = rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }, 'hello');

describe('standard input and output', () => {
  it('speak both eras, a message a line, however the bytes are cut', async () => {
    for (const byte of Buffer.from(`${hello}\r\n\n`)) stand.stdin.write(Buffer.from([byte]));
    expect(await next()).toMatchObject({
      id: 'hello',
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'helix-stdio' } },
    });
    write(rpc('tools/call', { name: 'echo' }, 2));
    expect(await next()).toMatchObject({ id: 2, result: { content: [{ type: 'text', text: 'done' }] } });
    write(String(modern('tools/list', {}, 3).body));
    expect(await next()).toMatchObject({
      id: 3,
      result: { resultType: 'complete', tools: [{ name: 'echo' }, {}] },
    });
    write(String(modern('ping', {}, 4).body));
    expect(await next()).toMatchObject({ id: 4, error: { code: -32601 } });
  });

  it('go on after a line that is broken or too long', async () => {
    write('{"jsonrpc"', 'x'.repeat(6000), rpc('ping', {}, 1));
    expect(await next()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await next()).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('cancel by id, in both eras, and owe no answer', async () => {
    const params = { name: 'waits', arguments: {} };
    for (const body of [rpc('tools/call', params, 0), String(modern('tools/call', params, 0).body)]) {
      const inside = new Promise<void>((resolve) => (entered = resolve));
      const gone = new Promise<void>((resolve) => (aborted = resolve));
      write(body);
      await inside;
      write(
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}',
        rpc('ping', {}, 1),
      );
      await gone;
      expect(await next()).toMatchObject({ id: 1 });
    }
  });

  it('tell of changed tools', async () => {
    write(hello);
    await next();
    const { body } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'sub');
    write(String(body));
    expect(await next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    await stand.engine.restart('echo');
    const changed = 'notifications/tools/list_changed';
    expect([(await next())['method'], (await next())['method']]).toEqual([changed, changed]);
  });

  it('end with the input, after what was asked before is answered', async () => {
    stand.stdin.end(`${rpc('tools/call', { name: 'echo' }, 1)}\n`);
    expect(await next()).toMatchObject({ id: 1 });
    await stand.ended;
  });
});

it.each([
  ['mcp-server://stdio?api_keys=k', 'guards a network address'],
  ['mcp-server://stdio?transport=http', 'cannot speak http'],
  ['mcp-server://127.0.0.1:0?transport=stdio', 'needs no address'],
  ['mcp-server://127.0.0.1', 'names no address'],
  ['mcp-server://127.0.0.1:0?api_keys=', 'given but empty'],
  ['mcp-server://127.0.0.1:0?workflows=absent', 'no such workflow'],
  ['mcp-server://127.0.0.1:0?api_key=k', 'did you mean "api_keys"'],
])('refuses to start %s', async (uri, reason) => {
  await expect(startStand({ uri })).rejects.toThrow(reason);
});
