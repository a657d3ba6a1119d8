import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStand, type Stand } from './support/mcp-stand.js';
import { modern, openSession, rpc, send, type RawRequest, type RawSession } from './support/raw-http.js';

let stand: Stand;
/** What each call of `waits` waits for, by the name in its arguments. */
const gates = new Map<string, { entered: () => void; aborted: () => void; open: Promise<void> }>();

beforeAll(async () => {
  stand = await startStand({
    keepAliveMs: 30,
    workflows: [
      { id: 'echo', from: 'direct://echo', 'input-schema': {}, steps: [{ 'set-body': { value: 'done' } }] },
      { id: 'waits', from: 'direct://waits', 'input-schema': {}, steps: [{ target: 'test://waits' }] },
    ],
    processors: {
      waits: (exchange) => {
        const gate = gates.get((exchange.body as { gate: string }).gate);
        gate?.entered();
        exchange.signal.addEventListener('abort', () => gate?.aborted());
        exchange.body = 'waited';
        return gate?.open;
      },
    },
  });
});

afterAll(() => stand.close());

interface Gate {
  readonly entered: Promise<void>;
  readonly aborted: Promise<void>;
  release(): void;
}

function gate(name: string): Gate {
  let entered!: () => void;
  let aborted!: () => void;
  let release!: () => void;
  const made = {
    entered: new Promise<void>((resolve) => (entered = resolve)),
    aborted: new Promise<void>((resolve) => (aborted = resolve)),
  };
  const open = new Promise<void>((resolve) => (release = resolve));
  gates.set(name, { entered: () => entered(), aborted: () => aborted(), open });
  return { ...made, release };
}

const waits = (name: string, id: unknown = 1, meta: object = {}): string =>
  rpc('tools/call', { name: 'waits', arguments: { gate: name }, _meta: meta }, id);

interface OpenStream {
  readonly answer: IncomingMessage;
  /** Resolves with all that came once it holds the text. */
  until(text: string): Promise<string>;
  readonly ended: Promise<string>;
  leave(): void;
}

/** A request whose answer is read as it comes. */
function stream({ method = 'POST', headers = {}, body }: RawRequest, url = stand.url): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const outgoing: ClientRequest = httpRequest(
      { host: '127.0.0.1', port: url.port, method, headers: all as never, agent: false },
      (answer) => {
        let text = '';
        let listening: (() => void) | undefined;
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          listening?.();
        });
        answer.on('error', () => undefined);
        resolve({
          answer,
          until: (wanted) =>
            new Promise((found) => {
              listening = () => void (text.includes(wanted) && found(text));
              listening();
            }),
          ended: new Promise((ended) => answer.on('close', () => ended(text))),
          leave: () => outgoing.destroy(),
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const inSession = (session: RawSession, more: RawRequest = {}): RawRequest => ({
  ...more,
  headers: { 'mcp-session-id': session.id, ...more.headers },
});

/** The server learns of a closed connection a moment after the client closed it. */
async function reopen(request: RawRequest): Promise<OpenStream> {
  for (;;) {
    const open = await stream(request);
    if (open.answer.statusCode !== 409) return open;
    await open.ended;
  }
}

describe('a long call', () => {
  it('turns into an event stream that shows life, and progress to who asked', async () => {
    const session = await openSession(stand.url);
    const long = gate('long');
    const answer = await stream(inSession(session, { body: waits('long', 5, { progressToken: 'p' }) }));
    expect(answer.answer.headers['content-type']).toBe('text/event-stream');
    await answer.until(': keep-alive');
    await answer.until('"progressToken":"p"');
    long.release();
    const text = await answer.ended;
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      'data: {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"waited"}]}}',
    );
  });

  it('is aborted when its client leaves, in both eras', async () => {
    const session = await openSession(stand.url);
    const modernCall = modern('tools/call', { name: 'waits', arguments: { gate: 'modern' } });
    const calls = [
      ['legacy', inSession(session, { body: waits('legacy') })],
      ['modern', modernCall],
    ] as const;
    for (const [name, request] of calls) {
      const dropped = gate(name);
      const open = await stream(request);
      await dropped.entered;
      open.leave();
      await expect(dropped.aborted).resolves.toBeUndefined();
      dropped.release();
    }
  });

  it('is cancelled by its id, also by 0, and ends without an answer', async () => {
    const session = await openSession(stand.url);
    for (const id of [0, 'a']) {
      const cancelled = gate('cancelled');
      const open = await stream(inSession(session, { body: waits('cancelled', id) }));
      await cancelled.entered;
      const other = await openSession(stand.url);
      const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${JSON.stringify(id)}}}`;
      await other.post(cancel);
      expect((await session.post(cancel)).status).toBe(202);
      await cancelled.aborted;
      cancelled.release();
      expect(await open.ended).not.toContain('jsonrpc":"2.0","id');
    }
  });

  it('keeps its id to itself while it runs', async () => {
    const session = await openSession(stand.url);
    const first = gate('first');
    const open = stream(inSession(session, { body: waits('first', 9) }));
    await first.entered;
    const second = await session.post(rpc('ping', {}, 9));
    expect(second.json()).toMatchObject({ id: null, error: { code: -32600 } });
    expect((await session.post(rpc('ping', {}, '9'))).json()).toMatchObject({ id: '9', result: {} });
    first.release();
    expect(await (await open).ended).toContain('"id":9,"result"');
  });
});

describe('the stream of a session', () => {
  it('is one, tells of changed tools, and of what was missed', async () => {
    const session = await openSession(stand.url);
    const listen = inSession(session, { method: 'GET', headers: { accept: 'text/event-stream' } });
    const first = await stream(listen);
    expect(await first.until('id: ')).toMatch(/^id: \d+\ndata: \n\n/);
    expect((await send(stand.url, listen)).status).toBe(409);
    await stand.engine.restart('echo');
    const heard = await first.until('notifications/tools/list_changed');
    const id = /id: (\d+)\nevent: message/.exec(heard)?.[1] ?? '';
    first.leave();
    await stand.engine.restart('echo');
    const back = await reopen({ ...listen, headers: { ...listen.headers, 'last-event-id': id } });
    await back.until('notifications/tools/list_changed');
    await send(stand.url, inSession(session, { method: 'DELETE' }));
    await back.ended;
  });

  it('takes no other form', async () => {
    const session = await openSession(stand.url);
    const answer = await send(
      stand.url,
      inSession(session, { method: 'GET', headers: { accept: 'application/json' } }),
    );
    expect(answer.status).toBe(406);
  });
});

describe('a subscription', () => {
  it('begins with what is granted, and hears that and no more', async () => {
    const wanted = { notifications: { toolsListChanged: true, promptsListChanged: true } };
    const open = await stream(modern('subscriptions/listen', wanted, 'sub'));
    const tag = '"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"}';
    expect(await open.until('acknowledged')).toContain(
      `"notifications":{"toolsListChanged":true,"promptsListChanged":true},${tag}`,
    );
    const deaf = await stream(modern('subscriptions/listen', { notifications: {} }, 'deaf'));
    await deaf.until('acknowledged');
    await stand.engine.restart('echo');
    expect(await open.until('list_changed')).toContain(
      `"method":"notifications/tools/list_changed","params":{${tag}}`,
    );
    deaf.leave();
    expect(await deaf.ended).not.toContain('list_changed');
    open.leave();
  });
});

describe('when the server stops', () => {
  it('answers what runs, ends what listens, and leaves nothing open', async () => {
    const own = await startStand({
      workflows: [
        { id: 'waits', from: 'direct://waits', 'input-schema': {}, steps: [{ target: 'test://waits' }] },
      ],
      processors: {
        waits: () => {
          entered();
          return open;
        },
      },
    });
    let entered!: () => void;
    let release!: () => void;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const open = new Promise<void>((resolve) => (release = resolve));
    const session = await openSession(own.url);
    const call = session.post(rpc('tools/call', { name: 'waits' }));
    await inside;
    const listening = await stream(inSession(session, { method: 'GET' }), own.url);
    const subscribed = await stream(modern('subscriptions/listen', { notifications: {} }, 3), own.url);
    await Promise.all([listening.until('id: '), subscribed.until('acknowledged')]);
    const stopped = own.close();
    await listening.ended;
    expect(await subscribed.ended).toContain('"id":3,"result":{"resultType":"complete"');
    release();
    expect((await call).status).toBe(200);
    await stopped;
    await expect(send(own.url, { body: rpc('ping') })).rejects.toThrow(/ECONNREFUSED/);
  });
});
