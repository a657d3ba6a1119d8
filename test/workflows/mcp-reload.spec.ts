import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../rest/support/client.js';
import { realClients, type RealClient } from '../mcp-server/support/clients.js';
import { openSession, rpc, send, type RawSession } from '../mcp-server/support/raw-http.js';
import { freePort } from '../support/free-port.js';
import { runWorkspace, type RunningWorkspace } from './support/running-workspace.js';

interface Written {
  /** What the tool says of itself and what it answers. */
  readonly says?: string;
  readonly server?: string;
  readonly more?: string;
}

let [port, web] = [0, 0];
let workspace: RunningWorkspace;

const written = ({ says = 'first', server = '', more = '' }: Written = {}): string => `
tools:
  - id: catalogued
    description: Says ${says}
    input: {}
    steps:
      - set-body: ${says}
workflows:
  - id: mcp
    from: mcp-server://127.0.0.1:${port}?workflows=spoken,slow${server}
    steps: []
  - id: spoken
    description: Says ${says}
    from: direct://spoken
    input-schema: { type: object }
    steps:
      - set-body: ${says}
  - id: slow
    from: direct://slow
    input-schema: { type: object }
    steps:
      - delay: 300ms
      - set-body: slowly ${says}
  - id: ask
    from: http-server://127.0.0.1:${web}/ask?method=POST
    steps:
      - target: mcp://127.0.0.1:${port}/spoken
${more}`;

beforeAll(async () => {
  [port, web] = [await freePort(), await freePort()];
  workspace = await runWorkspace(written(), { HELIX_ALLOW_PRIVATE_EGRESS: '127.0.0.0/8' });
});
beforeEach(() => workspace.reload(written()));
afterAll(() => workspace.close());

const server = (): URL => new URL(`http://127.0.0.1:${port}`);

describe.each(realClients)(
  'a client that is connected while the workspace is reloaded (%s)',
  (_name, connect) => {
    const places: Record<string, () => Promise<RealClient>> = {
      'mcp-server://': () => connect(server()),
      '/mcp': () =>
        connect(new URL(`${workspace.helix.url}/mcp`), { 'x-api-key': workspace.owner.apiKey ?? '' }),
    };

    it.each(Object.keys(places))(
      'is told by %s that the tools are others now, and calls them',
      async (place) => {
        const client = await places[place]!();
        const tool = place === '/mcp' ? 'catalogued' : 'spoken';
        let told = 0;
        await client.onToolsChanged(() => void told++);
        expect((await client.call(tool, {})).text).toContain('first');
        // The stream on which the server speaks may open a moment after the client is connected.
        await eventually(async () => {
          await workspace.reload(written({ says: `second ${told}` }));
          await workspace.reload(written({ says: 'second' }));
          return told;
        }).toBeGreaterThan(0);
        expect((await client.call(tool, {})).text).toContain('second');
        await client.close();
      },
    );
  },
);

const listen = (session: RawSession): Promise<Response> =>
  fetch(server(), { headers: { accept: 'text/event-stream', 'mcp-session-id': session.id } });
const said = async (session: RawSession, tool = 'spoken'): Promise<string> =>
  (await session.post(rpc('tools/call', { name: tool, arguments: {} }))).text;
const ask = async (): Promise<number> =>
  (await fetch(`http://127.0.0.1:${web}/ask`, { method: 'POST' })).status;

describe('a session', () => {
  it('and its stream live on where other workflows change', async () => {
    const session = await openSession(server());
    const { body } = await listen(session);
    const heard = reader(body);
    const { changed } = await workspace.reload(written({ says: 'second' }));
    expect(changed).not.toContain('mcp');
    await heard.until('tools/list_changed');
    expect(await said(session)).toContain('second');
    expect(
      (await send(server(), { method: 'DELETE', headers: { 'mcp-session-id': session.id } })).status,
    ).toBe(204);
    await heard.ended;
  });

  it('and its stream live on where the server itself changes behind the same door', async () => {
    const session = await openSession(server());
    const heard = reader((await listen(session)).body);
    const slowly = said(session, 'slow');
    await eventually(async () => (await inFlight('slow')) > 0).toBe(true);
    const { changed } = await workspace.reload(written({ says: 'second', server: '&blocked_tools=slow' }));
    expect(changed).toContain('mcp');
    await heard.until('tools/list_changed');
    expect(await slowly).toContain('slowly first');
    expect(await said(session)).toContain('second');
    expect(await said(session, 'slow')).toContain('Unknown tool');
    // The stream that was opened on the version before tells of the next change too.
    await workspace.reload(written({ says: 'third', server: '&blocked_tools=slow' }));
    await heard.until('tools/list_changed', 2);
    await workspace.reload(written({ says: 'fourth' }));
    expect(await said(session)).toContain('fourth');
    await send(server(), { method: 'DELETE', headers: { 'mcp-session-id': session.id } });
    await heard.ended;
    expect((await session.post(rpc('ping'))).status).toBe(404);
  });

  it('ends with its stream where the door is another', async () => {
    const session = await openSession(server());
    const heard = reader((await listen(session)).body);
    await workspace.reload(written({ server: '&api_keys=a-new-key' }));
    await heard.ended;
    expect((await session.post(rpc('ping'))).status).toBe(401);
    expect((await session.post(rpc('ping'), { 'x-api-key': 'a-new-key' })).status).toBe(404);
  });
});

describe('a target mcp://', () => {
  it('forgets a failed connection when its workflow is restarted through the API, and not before', async () => {
    await workspace.act('mcp', 'stop');
    await workspace.act('ask', 'restart');
    expect(await ask()).toBe(502);
    expect(await workspace.act('mcp', 'start')).toBe('started');
    expect(await ask()).toBe(502);
    expect(await workspace.act('ask', 'restart')).toBe('started');
    expect(await ask()).toBe(200);
  });
});

async function inFlight(id: string): Promise<number> {
  const { body } = await workspace.owner.get<{ counters: { inFlight: number } }>(`/v1/api/workflows/${id}`);
  return body.counters.inFlight;
}

/** What a stream has said so far. */
function reader(body: ReadableStream<Uint8Array> | null): {
  until(word: string, times?: number): Promise<void>;
  readonly ended: Promise<void>;
} {
  if (body === null) throw new Error('no stream');
  let text = '';
  let isOver = false;
  const ended = (async () => {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) text += chunk;
    isOver = true;
  })();
  return {
    ended,
    until: async (word, times = 1) => {
      await eventually(() => text.split(word).length > times || isOver).toBe(true);
      if (text.split(word).length <= times) throw new Error(`The stream ended with: ${text}`);
    },
  };
}
