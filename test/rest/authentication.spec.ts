import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeysService } from '../../src/modules/access/index.js';
import { formatCredential, mintCredential } from '../../src/modules/access/keys/api-key-format.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Client, eventually, type RestStory, startRest } from './support/client.js';
import { pageOf } from './support/page.js';
import { restOver } from './support/workbench.js';

let story: RestStory;
let ann: Client;

beforeAll(async () => {
  story = await startRest({ env: { TRUST_PROXY: '' } });
  story.bench.add('echo', { work: (input) => input });
  ann = await story.owner();
});
afterAll(() => story.close());

const list = '/v1/api/tool-calls';

describe('who is asking', () => {
  it.each(['GET /v1/api/tools', 'GET /v1/api/tool-calls', 'PUT /v1/api/tools/connections/treg'])(
    'hostile 11, 49: is asked before anything else: %s',
    async (line) => {
      const [method = '', path = ''] = line.split(' ');
      const nobody = ann.with(undefined);
      const body = method === 'PUT' ? '{not json' : undefined;
      const answer = await nobody.send(method, path, body, { 'x-organization-id': 'org_none' });
      expect(answer.status).toBe(401);
      expect(Client.code(answer)).toBe('unauthenticated');
      expect(answer.headers.get('www-authenticate')).toContain('ApiKey');
    },
  );

  it('hostile 13: refuses an empty key, a doubled one, and one with a wrong check, whatever else is sent', async () => {
    const key = ann.apiKey ?? '';
    const made = formatCredential(mintCredential('sk'));
    for (const wrong of [
      '',
      `${key}, ${key}`,
      `${key.slice(0, -1)}_`,
      made,
      `${key}x`,
      key.replace('sk', 'task'),
    ]) {
      const answer = await ann.with(wrong).get(list, { cookie: 'helix_session=s%3Aabc' });
      expect(answer.status).toBe(401);
    }
  });

  it('hostile 48: no page of another site may read an answer, with or without credentials', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' };
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await ann.send(method, list, undefined, headers);
      const allowed = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect(allowed).toEqual([]);
    }
  });

  it('answers an unknown route before it asks', async () => {
    expect((await ann.with(undefined).get('/v1/api/nothing')).status).toBe(404);
  });

  it('takes a malformed path for a mistake, not for a failure', async () => {
    expect((await ann.get('/v1/api/tool-calls/%E0%A4%A')).status).toBe(400);
  });
});

describe('the life of a key', () => {
  it('hostile 14: ends with its revocation, on every node at once', async () => {
    const other: TestApp = await startTestApp({
      module: restOver(story.bench),
      database: story.helix.database,
    });
    try {
      const key = await story.key(ann, {});
      const there = new Client(other.url, key.apiKey, ann.organizationId, ann.userId);
      expect((await there.get(list)).status).toBe(200);
      const id = key.apiKey?.split('_')[2];
      expect((await ann.send('DELETE', `/v1/api/api-keys/${id}`)).status).toBe(200);
      expect((await there.get(list)).status).toBe(401);
      expect((await key.get(list)).status).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('hostile 15: ends with its time, to the second', async () => {
    const key = await story.key(ann, { expiresAt: new Date(Date.now() - 1_000) });
    expect((await key.get(list)).status).toBe(401);
    const fresh = await story.key(ann, { expiresAt: new Date(Date.now() + 60_000) });
    expect((await fresh.get(list)).status).toBe(200);
  });

  it('hostile 15: goes on through a rotation: the former secret for its grace, the new one at once', async () => {
    const page = await pageOf(story, { workspace: ann });
    const made = await page.send<{ id: string; apiKey: string }>('POST', '/v1/api/api-keys', {
      name: 'nightly',
      scopes: ['calls:read'],
    });
    expect(made.status).toBe(201);
    const { id, apiKey: first } = made.body;
    expect(first).toContain(`hlx_sk_${id}_`);
    const rotate = async (graceSeconds: number) =>
      (await page.send<{ apiKey: string }>('POST', `/v1/api/api-keys/${id}/rotate`, { graceSeconds })).body
        .apiKey;
    const second = await rotate(60);
    expect((await ann.with(first).get(list)).status).toBe(200);
    expect((await ann.with(second).get(list)).status).toBe(200);
    const third = await rotate(0);
    expect((await ann.with(first).get(list)).status).toBe(401);
    expect((await ann.with(second).get(list)).status).toBe(401);
    expect((await ann.with(third).get(list)).status).toBe(200);
  });

  it('shows its secret once, and never in a list', async () => {
    const page = await pageOf(story, { workspace: ann });
    const made = await page.send<{ id: string; apiKey: string }>('POST', '/v1/api/api-keys', {
      name: 'shown once',
      scopes: ['tools:read'],
    });
    const secret = made.body.apiKey.split('_')[3] ?? '';
    const listed = await ann.get<{ items: { id: string }[] }>('/v1/api/api-keys');
    expect(listed.body.items.map(({ id }) => id)).toContain(made.body.id);
    expect(listed.text).not.toContain(secret);
    expect(story.helix.logged()).not.toContain(secret);
  });

  it('hostile 16: is bound to the membership of its person: removed, the key is refused with 403', async () => {
    const max = await story.member(ann, 'member');
    expect((await max.get(list)).status).toBe(200);
    expect((await ann.send('DELETE', `/v1/api/members/${max.userId}`)).status).toBe(200);
    const answer = await max.get(list);
    expect([answer.status, Client.code(answer)]).toEqual([403, 'not_a_member']);
  });

  it('notes its use at most once a minute', async () => {
    const key = await story.key(ann, {});
    const id = key.apiKey?.split('_')[2] ?? '';
    const usedAt = async () => {
      const found = (await story.helix.app.nest.get(ApiKeysService).list(ann.organizationId)).find(
        (k) => k.id === id,
      );
      return found?.lastUsedAt?.getTime();
    };
    await key.get(list);
    await eventually(usedAt).toBeDefined();
    const first = await usedAt();
    await key.get(list);
    await key.get(list);
    expect(await usedAt()).toBe(first);
  });
});

describe('scopes and roles', () => {
  it.each([
    ['tools:read', 'GET', '/v1/api/tools'],
    ['tools:read', 'GET', '/v1/api/tools/echo'],
    ['tools:read', 'GET', '/v1/api/tools/connections/treg'],
    ['calls:read', 'GET', '/v1/api/tool-calls'],
    ['calls:read', 'GET', '/v1/api/tool-calls/call_x'],
    ['tools:call', 'POST', '/v1/api/tools/echo/call'],
    ['connections:write', 'PUT', '/v1/api/tools/connections/treg'],
    ['connections:write', 'DELETE', '/v1/api/tools/connections/treg'],
    ['admin:*', 'GET', '/v1/api/api-keys'],
    ['admin:*', 'POST', '/v1/api/projects'],
  ] as const)('a key without %s cannot %s %s', async (scope, method, path) => {
    const others = (
      ['tools:read', 'tools:call', 'calls:read', 'connections:write', 'admin:*'] as const
    ).filter((one) => one !== scope);
    const key = await story.key(ann, { scopes: others });
    const answer = await key.send(method, path, method === 'GET' ? undefined : '{broken');
    expect([answer.status, Client.code(answer)]).toEqual([403, 'insufficient_scope']);
  });

  it('a member cannot manage keys, whatever scopes the key has', async () => {
    const max = await story.member(ann, 'member');
    const answer = await max.get('/v1/api/api-keys');
    expect([answer.status, Client.code(answer)]).toEqual([403, 'insufficient_role']);
  });
});

describe('guessing', () => {
  it('hostile 19: ends with 429 before the twenty-first wrong key, and a forged X-Forwarded-For does not help', async () => {
    const guesser = await startRest();
    try {
      const owner = await guesser.owner();
      const statuses: number[] = [];
      let last = await owner.with('hlx_sk_wrong').get(list);
      for (let turn = 0; turn < 20; turn += 1) {
        last = await owner.with(formatCredential(mintCredential('sk'))).get(list, {
          'x-forwarded-for': `198.51.100.${turn}`,
        });
        statuses.push(last.status);
      }
      expect(statuses.slice(0, 10).every((status) => status === 401)).toBe(true);
      expect(last.status).toBe(429);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
      // Nobody with a key is held up by the guesser.
      expect((await owner.get(list)).status).toBe(200);
    } finally {
      await guesser.close();
    }
  });

  it('is counted by the client where a proxy is trusted', async () => {
    const proxied = await startRest({ env: { TRUST_PROXY: '1' } });
    try {
      const owner = await proxied.owner();
      const guess = async (from: string) =>
        (await owner.with('hlx_sk_wrong').get(list, { 'x-forwarded-for': from })).status;
      for (let turn = 0; turn < 20; turn += 1) await guess('198.51.100.1');
      expect(await guess('198.51.100.1')).toBe(429);
      expect(await guess('203.0.113.9, 198.51.100.1')).toBe(429);
      expect(await guess('198.51.100.2')).toBe(401);
    } finally {
      await proxied.close();
    }
  });
});
