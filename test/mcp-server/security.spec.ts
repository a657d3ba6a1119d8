import { describe, expect, it } from 'vitest';
import { startStand, type Stand, type StandInit } from './support/mcp-stand.js';
import { modern, openSession, rpc, send } from './support/raw-http.js';

let runs = 0;
const workflows: StandInit['workflows'] = [
  { id: 'echo', from: 'direct://echo', 'input-schema': {}, steps: [{ target: 'test://echo' }] },
  { id: 'counts', from: 'direct://counts', 'input-schema': {}, steps: [{ target: 'test://counts' }] },
];
const processors: StandInit['processors'] = {
  echo: () => void runs++,
  counts: (exchange) => {
    const state = exchange.session?.state ?? {};
    state['count'] = Number(state['count'] ?? 0) + 1;
    exchange.body = String(state['count']);
  },
};

async function withStand(
  options: string,
  story: (stand: Stand) => Promise<void>,
  uri?: string,
): Promise<void> {
  const stand = await startStand({ options, workflows, processors, ...(uri ? { uri } : {}) });
  try {
    await story(stand);
  } finally {
    await stand.close();
  }
}

const list = modern('tools/list');
const echo = modern('tools/call', { name: 'echo', arguments: {} });

describe('a server on loopback', () => {
  it('is reached under its own names and from its own pages only', () =>
    withStand('cors_origins=https://app.example', async ({ url }) => {
      const { port } = url;
      const status = async (headers: Record<string, string | string[]>, method = 'POST'): Promise<number> =>
        (await send(url, { ...list, method, headers: { ...list.headers, ...headers } })).status;
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
        expect([host, await status({ host })]).toEqual([host, 200]);
      }
      const foreign = [
        'evil.example',
        `127.0.0.1.evil.example:${port}`,
        `localhost.:${port}`,
        `evil.example:${port}`,
      ];
      for (const host of foreign) expect([host, await status({ host })]).toEqual([host, 403]);
      expect(await status({ host: 'evil.example' }, 'GET')).toBe(403);
      expect(await status({ host: 'evil.example' }, 'DELETE')).toBe(403);
      const host = `localhost:${port}`;
      for (const origin of [`http://${host}`, 'https://app.example']) {
        expect([origin, await status({ host, origin })]).toEqual([origin, 200]);
      }
      const origins = [
        'null',
        `http://localhost.evil.example:${port}`,
        'http://localhost:1',
        'https://app.example.evil',
      ];
      for (const origin of origins) expect([origin, await status({ host, origin })]).toEqual([origin, 403]);
      expect(
        (await send(url, { ...list, headers: { ...list.headers, host: 'evil.example' } })).json().error,
      ).toEqual({
        code: -32001,
        message: expect.stringContaining('Host') as string,
      });
    }));

  it('does not open to all pages with cors_origins=*', () =>
    withStand('cors_origins=*', async ({ url }) => {
      const headers = { ...list.headers, origin: 'https://evil.example' };
      expect((await send(url, { ...list, headers })).status).toBe(403);
    }));
});

describe('a browser', () => {
  it('passes the preflight without a key and is shown what it needs', () =>
    withStand('cors_origins=https://app.example&api_keys=k-1', async ({ url }) => {
      const before = runs;
      const preflight = await send(url, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-api-key, mcp-protocol-version, mcp-param-region, x-other',
        },
      });
      expect(preflight.status).toBe(204);
      const allowed = String(preflight.headers['access-control-allow-headers']).toLowerCase().split(', ');
      for (const name of [
        'authorization',
        'x-api-key',
        'mcp-protocol-version',
        'mcp-session-id',
        'mcp-param-region',
      ]) {
        expect(allowed).toContain(name);
      }
      expect(allowed).not.toContain('x-other');
      expect(preflight.headers['access-control-allow-methods']).toBe('GET, POST, DELETE, OPTIONS');
      const refused = await send(url, {
        ...echo,
        headers: { ...echo.headers, origin: 'https://app.example' },
      });
      expect(refused.status).toBe(401);
      expect(refused.headers).toMatchObject({
        'access-control-allow-origin': 'https://app.example',
        'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate, Retry-After',
        'www-authenticate': 'Bearer',
      });
      expect(runs).toBe(before);
    }));

  it('needs its origin listed where the server listens on all interfaces', async () => {
    const uri = 'mcp-server://0.0.0.0:0?cors_origins=https://app.example';
    await withStand(
      '',
      async ({ url }) => {
        const status = async (origin: string): Promise<number> =>
          (await send(url, { ...list, headers: { ...list.headers, origin } })).status;
        expect(await status('https://app.example')).toBe(200);
        expect(await status('https://evil.example')).toBe(403);
        expect((await send(url, { ...list, headers: { ...list.headers, host: 'any.example' } })).status).toBe(
          200,
        );
      },
      uri,
    );
  });
});

describe('a key', () => {
  it('is taken from either header, and nowhere else', () =>
    withStand('api_keys=k-one,k-two', async ({ url }) => {
      const status = async (headers: Record<string, string>, path = '/'): Promise<number> =>
        (await send(url, { ...list, path, headers: { ...list.headers, ...headers } })).status;
      expect(await status({ authorization: 'Bearer k-two' })).toBe(200);
      expect(await status({ 'x-api-key': 'k-one' })).toBe(200);
      expect(await status({})).toBe(401);
      expect(await status({ 'x-api-key': 'k-onf' })).toBe(401);
      expect(await status({ authorization: 'Bearer k-one', 'x-api-key': 'k-two' })).toBe(401);
      expect(await status({}, '/?api_key=k-one')).toBe(401);
    }));

  it('is what a session belongs to: another key finds nothing there', () =>
    withStand('api_keys=k-one,k-two', async ({ url }) => {
      const own = await openSession(url, '2025-11-25', { 'x-api-key': 'k-one' });
      const stolen = (method: string): Promise<{ status: number; text: string }> =>
        send(url, {
          method,
          headers: { 'x-api-key': 'k-two', 'mcp-session-id': own.id },
          ...(method === 'POST' ? { body: rpc('tools/list') } : {}),
        });
      const unknown = await send(url, {
        headers: { 'x-api-key': 'k-two', 'mcp-session-id': 'x' },
        body: rpc('tools/list'),
      });
      for (const method of ['POST', 'GET', 'DELETE']) {
        expect(await stolen(method)).toMatchObject({ status: 404, text: unknown.text });
      }
      expect((await own.post(rpc('ping'))).status).toBe(200);
    }));

  it('is what the state of a session belongs to', () =>
    withStand('api_keys=k-one,k-two', async ({ url }) => {
      const request = modern('tools/call', { name: 'counts', _meta: { sessionId: 'shared' } });
      const count = async (key: string): Promise<unknown> => {
        const answer = await send(url, { ...request, headers: { ...request.headers, 'x-api-key': key } });
        return (answer.json().result as { content: { text: string }[] }).content[0]?.text;
      };
      expect([await count('k-one'), await count('k-one'), await count('k-two')]).toEqual(['1', '2', '1']);
    }));

  it('shows in no answer and in no list of workflows', () =>
    withStand('api_keys=k-secret', async ({ url }) => {
      const request = modern('resources/read', { uri: 'helix://workflows' });
      const headers = { ...request.headers, 'x-api-key': 'k-secret' };
      expect((await send(url, { ...request, headers })).text).not.toContain('k-secret');
    }));
});

describe('addresses', () => {
  it('are those of the peer, whatever it claims', () =>
    withStand('ip_allowlist=10.0.0.1', async ({ url }) => {
      const headers = { ...list.headers, 'x-forwarded-for': '10.0.0.1' };
      expect((await send(url, { ...list, headers })).status).toBe(403);
    }));

  it('pass by network, mapped or not', () =>
    withStand('ip_allowlist=127.0.0.0/8', async ({ url }) => {
      expect((await send(url, list)).status).toBe(200);
    }));

  it('need neither list nor key when they are a trusted proxy', () =>
    withStand('ip_allowlist=10.0.0.1&api_keys=k&trusted_proxies=127.0.0.1', async ({ url }) => {
      expect((await send(url, list)).status).toBe(200);
    }));
});

const batch = (count: number): string =>
  `[${Array.from({ length: count }, (_, id) => rpc('ping', {}, id)).join()}]`;

describe('the rate', () => {
  it('is counted per key and told with a time to wait', () =>
    withStand('api_keys=a,b&rate_limit=2', async ({ url }) => {
      const ask = (key: string): ReturnType<typeof send> =>
        send(url, { ...list, headers: { ...list.headers, 'x-api-key': key } });
      expect([(await ask('a')).status, (await ask('a')).status]).toEqual([200, 200]);
      const refused = await ask('a');
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30']);
      expect((await ask('b')).status).toBe(200);
    }));

  it('counts each call of a batch', () =>
    withStand('rate_limit=10', async ({ url }) => {
      const old = await openSession(url, '2025-03-26');
      expect((await old.post(batch(10))).status).toBe(429);
      expect((await old.post(batch(8))).status).toBe(200);
      expect((await old.post(rpc('ping'))).status).toBe(429);
    }));
});
