import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HelixError } from '../../src/common/engine/errors/helix-error.js';
import { startStand, type Stand } from './support/mcp-stand.js';
import { modern, openSession, rpc, send, type RawSession } from './support/raw-http.js';

let stand: Stand;
let session: RawSession;
let seen: { body: unknown; headers: Record<string, unknown> } | undefined;
let runs = 0;

beforeAll(async () => {
  stand = await startStand({
    options: 'max_body_bytes=200000&blocked_tools=hidden',
    workflows: [
      { id: 'echo', from: 'direct://echo', 'input-schema': {}, steps: [{ target: 'test://echo' }] },
      { id: 'hidden', from: 'direct://hidden', 'input-schema': {} },
      {
        id: 'mirrored',
        from: 'direct://mirrored',
        'input-schema': {
          properties: {
            region: { type: 'string', 'x-mcp-header': 'Region' },
            size: { type: 'integer', 'x-mcp-header': 'Size' },
          },
        },
        steps: [{ 'set-body': { value: 'ok' } }],
      },
      { id: 'strange', from: 'direct://strange', 'input-schema': {}, steps: [{ target: 'test://strange' }] },
    ],
    processors: {
      echo: (exchange) => {
        runs++;
        seen = { body: exchange.body, headers: exchange.headers.toObject() };
      },
      strange: (exchange) => {
        const { kind } = exchange.body as { kind: string };
        const cycle: Record<string, unknown> = {};
        cycle['self'] = cycle;
        const bodies: Record<string, unknown> = {
          cycle,
          bigint: { n: 10n },
          bytes: Buffer.from('grüße'),
          nothing: null,
          number: 7,
          list: [1, 2],
        };
        exchange.body = bodies[kind];
      },
    },
  });
  session = await openSession(stand.url);
});

afterAll(() => stand.close());

const call = (args: unknown, id: unknown = 1, name = 'echo'): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${name}","arguments":${typeof args === 'string' ? args : JSON.stringify(args)}}}`;

describe('the body of a request', () => {
  it.each([
    ['no JSON', '{"jsonrpc":', 400, -32700],
    ['nothing', '', 400, -32700],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, -32700],
    ['too deep', '['.repeat(50_000), 400, -32700],
    ['too deep within a call', call('{"a":'.repeat(200) + '1' + '}'.repeat(200)), 400, -32700],
    ['text', '"hello"', 400, -32600],
    ['no version', '{"id":1,"method":"ping"}', 400, -32600],
    ['the id null', call({}, null), 400, -32600],
    ['a fraction as id', call({}, 1.5), 400, -32600],
    ['an object as id', call({}, {}), 400, -32600],
    ['an id beyond 2^53', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', 400, -32600],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', 400, -32600],
    ['a method of the prototype', rpc('__proto__'), 200, -32601],
    ['another of the prototype', rpc('constructor'), 200, -32601],
    ['a second initialize in a session', rpc('initialize', {}), 200, -32602],
  ])('is refused with the code of the standard: %s', async (_, body, status, code) => {
    const answer = await session.post(body);
    expect([answer.status, answer.json().error?.code]).toEqual([status, code]);
  });

  it.each([[[]], [null], ['"text"'], [7]])('takes no arguments that are %j', async (args) => {
    const answer = await session.post(call(args));
    expect(answer.json().error?.code).toBe(-32602);
  });

  it.each([0, '', '__proto__', -1, 'ü'])('takes the id %j', async (id) => {
    expect((await session.post(call({}, id))).json()).toMatchObject({ id, result: {} });
  });

  it('counts nesting outside of text only', async () => {
    const answer = await session.post(call({ text: `${'['.repeat(300)}\\"` }));
    expect(answer.json()).toHaveProperty('result');
  });

  it('is left unread when it says to be too large, and cut when it turns out to be', async () => {
    const big = 'x'.repeat(200_001);
    const before = runs;
    const announced = await session.post(big);
    expect([announced.status, announced.headers.connection]).toEqual([413, 'close']);
    const chunked = await session.post(big, { 'transfer-encoding': 'chunked' });
    expect(chunked.status).toBe(413);
    expect(runs).toBe(before);
  });

  it.each([
    [{ 'content-type': 'text/plain;a=application/json' }, 415],
    [{ 'content-type': undefined }, 415],
    [{ 'content-type': 'application/json; charset=latin1' }, 415],
    [{ 'content-type': 'Application/JSON; charset="UTF-8"' }, 200],
    [{ 'content-encoding': 'gzip' }, 415],
    [{ accept: 'image/png' }, 406],
    [{ accept: '*/*' }, 200],
    [{ 'mcp-protocol-version': '1999-01-01' }, 400],
    [{ 'mcp-protocol-version': '2025-06-18' }, 200],
  ])('with %j is answered %i', async (headers, status) => {
    expect((await session.post(rpc('ping'), headers)).status).toBe(status);
  });

  it('is answered as an event stream for who takes nothing else', async () => {
    const answer = await session.post(rpc('ping', {}, 7), { accept: 'text/event-stream' });
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.text).toBe('event: message\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\n\n');
  });
});

describe('what a call may carry', () => {
  it('brings no header and no prototype into the exchange', async () => {
    const args =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"HelixMcpToolName":"x","_meta":{"a":1}}';
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args},"_meta":{"HelixToolID":"x","traceparent":"00-1-2-01"}}}`;
    await session.post(body, { HelixMcpRouteID: 'forged' });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(seen?.headers).toEqual({
      HelixMcpToolName: 'echo',
      HelixMcpRouteID: 'echo',
      traceparent: '00-1-2-01',
    });
    expect(Object.keys(seen?.body as object)).toEqual(['__proto__', 'constructor', 'HelixMcpToolName']);
  });

  it('answers a blocked tool as it answers one that does not exist, in list and call', async () => {
    const bytes = async (name: string): Promise<string> =>
      (await session.post(call({}, 1, name))).text.replaceAll(name, 'NAME');
    expect(await bytes('hidden')).toBe(await bytes('absent'));
    expect((await session.post(rpc('tools/list'))).text).not.toContain('hidden');
  });

  it.each([
    ['cycle', { isError: true }],
    ['bigint', { isError: true }],
    ['bytes', { content: [{ type: 'text', text: 'grüße' }] }],
    ['nothing', { content: [{ type: 'text', text: '' }] }],
    ['number', { content: [{ type: 'text', text: '7' }] }],
    ['list', { content: [{ type: 'text', text: '[1,2]' }] }],
  ])('gets a result for a body of another kind: %s', async (kind, expected) => {
    expect((await session.post(call({ kind }, 1, 'strange'))).json().result).toMatchObject(expected);
  });
});

describe('the steps of the hosting workflow', () => {
  it('run before every tool, and their failure is the call’s', async () => {
    const hosted = await startStand({
      hostSteps: [{ 'set-header': { name: 'via', value: 'mcp' } }, { target: 'test://gate' }],
      workflows: [
        { id: 'echo', from: 'direct://echo', 'input-schema': {}, steps: [{ target: 'test://echo' }] },
      ],
      processors: {
        gate: (exchange) => {
          if ((exchange.body as { closed?: true }).closed)
            throw new HelixError('ENGINE.THROWN', 'closed today');
        },
        echo: (exchange) => void (exchange.body = exchange.headers.get('via')),
      },
    });
    try {
      const own = await openSession(hosted.url);
      expect((await own.post(call({}))).json().result).toMatchObject({ content: [{ text: 'mcp' }] });
      expect((await own.post(call({ closed: true }))).json().result).toMatchObject({
        content: [{ text: 'closed today' }],
        isError: true,
      });
    } finally {
      await hosted.close();
    }
  });
});

describe('batches', () => {
  it('belong to the revisions that have them', async () => {
    const old = await openSession(stand.url, '2025-03-26');
    const batch = `[${rpc('ping', {}, 1)},{"jsonrpc":"2.0","method":"notifications/initialized"},[],${call({}, 2)}]`;
    const answers = (await old.post(batch)).json() as unknown as { id: unknown; error?: { code: number } }[];
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      [null, -32600],
      [2, undefined],
    ]);
    expect((await session.post(batch)).status).toBe(400);
    const ping = rpc('ping');
    expect((await old.post('[]')).status).toBe(400);
    expect((await old.post(`[${Array.from({ length: 101 }, () => ping).join()}]`)).status).toBe(400);
    expect((await old.post('[{"jsonrpc":"2.0","method":"notifications/initialized"}]')).status).toBe(202);
  });
});

const agreed = async (protocolVersion: string): Promise<unknown> => {
  const answer = await send(stand.url, { body: rpc('initialize', { protocolVersion, capabilities: {} }) });
  return (answer.json().result as { protocolVersion: unknown }).protocolVersion;
};

describe('sessions', () => {
  it('are asked for, and unknown ones are not found', async () => {
    expect((await send(stand.url, { body: rpc('ping') })).status).toBe(400);
    expect((await send(stand.url, { body: rpc('ping'), headers: { 'mcp-session-id': 'mine' } })).status).toBe(
      404,
    );
    expect((await send(stand.url, { method: 'GET' })).status).toBe(400);
    expect((await send(stand.url, { method: 'GET', headers: { 'mcp-session-id': 'mine' } })).status).toBe(
      404,
    );
  });

  it('have ids of the server alone', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
    const headers = { 'mcp-session-id': 'chosen-by-the-client' };
    const answer = await send(stand.url, { headers, body: rpc('initialize', params) });
    expect(answer.headers['mcp-session-id']).toMatch(/^[\w-]{32}$/);
  });

  it('agree on a revision: the asked one, else the newest', async () => {
    expect(await agreed('2024-11-05')).toBe('2024-11-05');
    expect(await agreed('2026-07-28')).toBe('2025-11-25');
    expect(await agreed('1.0')).toBe('2025-11-25');
  });

  it('end with DELETE and are gone then', async () => {
    const short = await openSession(stand.url);
    const headers = { 'mcp-session-id': short.id };
    expect((await send(stand.url, { method: 'DELETE', headers })).status).toBe(204);
    expect((await short.post(rpc('ping'))).status).toBe(404);
    expect((await send(stand.url, { method: 'DELETE', headers })).status).toBe(404);
  });

  it('speak no other methods', async () => {
    const answer = await send(stand.url, { method: 'PUT', body: '{}' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, POST, DELETE, OPTIONS']);
    expect((await send(stand.url, { path: '/elsewhere', body: rpc('ping') })).status).toBe(404);
  });
});

describe('the modern era', () => {
  it('discovers without a session', async () => {
    const { result } = (await send(stand.url, modern('server/discover'))).json();
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']) as unknown,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'helix-mcp', version: '1.0.0' } },
    });
  });

  it('takes lists as structure, which the older era does not know', async () => {
    const request = modern('tools/call', { name: 'strange', arguments: { kind: 'list' } });
    expect((await send(stand.url, request)).json().result).toMatchObject({ structuredContent: [1, 2] });
    expect((await session.post(call({ kind: 'list' }, 1, 'strange'))).text).not.toContain(
      'structuredContent',
    );
  });

  const base = modern('tools/call', { name: 'echo', arguments: {} });
  it.each([
    ['another method in the header', { 'mcp-method': 'tools/list' }, 400, -32020],
    ['no method in the header', { 'mcp-method': undefined }, 400, -32020],
    ['another name in the header', { 'mcp-name': 'hidden' }, 400, -32020],
    ['a broken encoding of the name', { 'mcp-name': '=?base64?ZWNobw?=' }, 400, -32020],
    ['another revision in the header', { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    ['no revision in the header', { 'mcp-protocol-version': undefined }, 400, -32020],
  ])('refuses %s', async (_, headers, status, code) => {
    const answer = await send(stand.url, { ...base, headers: { ...base.headers, ...headers } });
    expect([answer.status, answer.json().error?.code]).toEqual([status, code]);
  });

  it('takes a name in base64', async () => {
    const headers = { ...base.headers, 'mcp-name': '=?base64?ZWNobw==?=' };
    expect((await send(stand.url, { ...base, headers })).status).toBe(200);
  });

  it('refuses what does not say all it must', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const answer = await send(stand.url, { headers, body: rpc('tools/list', {}) });
    expect([answer.status, answer.json().error?.code]).toEqual([400, -32602]);
    expect((await send(stand.url, { method: 'GET', headers })).status).toBe(405);
    const gone = await send(stand.url, modern('ping'));
    expect([gone.status, gone.json().error?.code]).toEqual([404, -32601]);
  });

  it('wants arguments repeated in headers where the schema says so', async () => {
    const request = modern('tools/call', { name: 'mirrored', arguments: { region: 'eu', size: 10 } });
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await send(stand.url, { ...request, headers: { ...request.headers, ...headers } })).status;
    expect(await status({ 'mcp-param-region': 'eu', 'mcp-param-size': '1e1' })).toBe(200);
    expect(await status({ 'mcp-param-region': 'us', 'mcp-param-size': '10' })).toBe(400);
    expect(await status({ 'mcp-param-region': 'eu' })).toBe(400);
  });
});

describe('a peer that leaves in the middle of its body', () => {
  it('leaves nothing behind', async () => {
    const before = runs;
    const socket = connect(Number(stand.url.port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(
      `POST / HTTP/1.1\r\nhost: 127.0.0.1:${stand.url.port}\r\ncontent-type: application/json\r\naccept: */*\r\nmcp-session-id: ${session.id}\r\ncontent-length: 1000\r\n\r\n{"jsonrpc"`,
    );
    socket.destroy();
    expect((await session.post(rpc('ping'))).status).toBe(200);
    expect(runs).toBe(before);
  });
});
