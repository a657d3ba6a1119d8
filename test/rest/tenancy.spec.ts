import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, type RestStory, startRest } from './support/client.js';

let story: RestStory;
let ann: Client;
let bob: Client;

interface Page {
  items: { id: string; projectId: string | null }[];
  nextCursor: string | null;
}

beforeAll(async () => {
  story = await startRest();
  story.bench.add('echo', { work: (input) => input });
  ann = await story.owner();
  bob = await story.owner();
});
afterAll(() => story.close());

const named = (id: string) => ({ 'x-organization-id': id });
const projectOf = async (client: Client, name: string) =>
  (await client.send<{ id: string }>('POST', '/v1/api/projects', { name })).body.id;

describe('which workspace', () => {
  it('is the key’s own where the header is absent, empty, or names it', async () => {
    for (const headers of [{}, named(''), named('  '), named(ann.organizationId)])
      expect((await ann.get('/v1/api/tools', headers)).status).toBe(200);
  });

  it('hostile 02, 03: is never another one: foreign, unknown and malformed are refused alike', async () => {
    const foreign = await ann.get('/v1/api/tools', named(bob.organizationId));
    expect([foreign.status, Client.code(foreign)]).toEqual([403, 'not_a_member']);
    for (const id of [
      'org_0196a0b0-0000-7000-8000-000000000001',
      'nonsense',
      `${ann.organizationId},x`,
      'x'.repeat(4000),
    ]) {
      const answer = await ann.get('/v1/api/tools', named(id));
      expect([answer.status, answer.body]).toEqual([403, foreign.body]);
    }
  });

  it('is never another one even where the person belongs to both', async () => {
    const answer = await ann.get<{ items: { id: string }[] }>('/v1/api/organizations');
    expect(answer.body.items.map(({ id }) => id)).toEqual([ann.organizationId]);
  });

  it('is judged before the body and before the role', async () => {
    const max = await story.member(ann, 'member');
    const answer = await max.send(
      'PUT',
      '/v1/api/tools/connections/treg',
      '{broken',
      named(bob.organizationId),
    );
    expect([answer.status, Client.code(answer)]).toEqual([403, 'not_a_member']);
  });
});

describe('what belongs to another workspace', () => {
  it('hostile 01: is not there: a call', async () => {
    const made = await bob.call<{ id: string }>('echo', {});
    expect((await bob.get(`/v1/api/tool-calls/${made.body.id}`)).status).toBe(200);
    const answer = await ann.get(`/v1/api/tool-calls/${made.body.id}`);
    expect([answer.status, answer.body]).toEqual([404, { error: 'No such tool or call in this workspace.' }]);
  });

  it.each(['not-a-uuid', 'a%00b', 'x'.repeat(10_000), '..%2f..', '%F0%9F%98%80', "'%3B--", 'CALL_'])(
    'hostile 08: is not there: the call %s',
    async (id) => {
      expect((await ann.get(`/v1/api/tool-calls/${id}`)).status).toBe(404);
    },
  );

  it('is not there: a project', async () => {
    const project = await projectOf(bob, 'secret plans');
    const answer = await ann.call('echo', {}, { projectId: project });
    expect([answer.status, Client.code(answer)]).toEqual([404, 'unknown_project']);
    expect((await ann.get(`/v1/api/tool-calls?projectId=${project}`)).status).toBe(404);
    expect((await bob.call('echo', {}, { projectId: project })).status).toBe(201);
  });

  it('is not there: an API key', async () => {
    const id = bob.apiKey?.split('_')[2];
    expect((await ann.send('DELETE', `/v1/api/api-keys/${id}`)).status).toBe(404);
    expect((await ann.send('POST', `/v1/api/api-keys/${id}/rotate`, {})).status).toBe(404);
    expect((await bob.get('/v1/api/tools')).status).toBe(200);
  });

  it('does not collide: the same idempotency key in both', async () => {
    const more = { idempotencyKey: 'shared' };
    expect((await ann.call('echo', { of: 'ann' }, more)).status).toBe(201);
    expect((await bob.call('echo', { of: 'bob' }, more)).status).toBe(201);
  });

  it('hostile 04, 05: cannot be paged into: cursors of another workspace or filter', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await ann.call('echo', {});
      await bob.call('echo', {});
    }
    const { nextCursor } = (await bob.get<Page>('/v1/api/tool-calls?limit=1')).body;
    expect(nextCursor).toBeTruthy();
    expect((await bob.get(`/v1/api/tool-calls?limit=1&cursor=${nextCursor}`)).status).toBe(200);
    const stolen = await ann.get(`/v1/api/tool-calls?limit=1&cursor=${nextCursor}`);
    expect([stolen.status, Client.code(stolen)]).toEqual([400, 'invalid_cursor']);
    const project = await projectOf(bob, 'another filter');
    expect((await bob.get(`/v1/api/tool-calls?projectId=${project}&cursor=${nextCursor}`)).status).toBe(400);
  });
});

describe('a key that is limited to projects', () => {
  let granted: string;
  let other: string;
  let vic: Client;

  beforeAll(async () => {
    granted = await projectOf(ann, 'granted');
    other = await projectOf(ann, 'other');
    vic = await story.key(ann, { projectIds: [granted] });
  });

  it('hostile 09: calls within its project only', async () => {
    expect((await vic.call('echo', {}, { projectId: granted })).status).toBe(201);
    for (const more of [{}, { projectId: other }, { projectId: 'prj_unknown' }]) {
      const answer = await vic.call('echo', {}, more);
      expect([answer.status, Client.code(answer)]).toEqual([403, 'no_project_access']);
    }
  });

  it('is refused for the project before it learns what an idempotency key stands for', async () => {
    await ann.call('echo', {}, { projectId: other, idempotencyKey: 'known to ann' });
    const answer = await vic.call('echo', {}, { projectId: other, idempotencyKey: 'known to ann' });
    expect(answer.status).toBe(403);
  });

  it('hostile 06, 07: sees the calls of its project alone', async () => {
    const mine = await vic.call<{ id: string }>('echo', {}, { projectId: granted });
    const hidden = await ann.call<{ id: string }>('echo', {}, { projectId: other });
    const all = await vic.get<Page>('/v1/api/tool-calls?limit=100');
    expect(all.status).toBe(200);
    expect(new Set(all.body.items.map(({ projectId }) => projectId))).toEqual(new Set([granted]));
    expect((await vic.get(`/v1/api/tool-calls/${mine.body.id}`)).status).toBe(200);
    expect((await vic.get(`/v1/api/tool-calls/${hidden.body.id}`)).status).toBe(403);
    expect((await vic.get(`/v1/api/tool-calls?projectId=${other}`)).status).toBe(403);
    const foreign = await bob.call<{ id: string }>('echo', {});
    expect((await vic.get(`/v1/api/tool-calls/${foreign.body.id}`)).status).toBe(404);
  });

  it('cannot make a key without that limit', async () => {
    const wide = await vic.send('POST', '/v1/api/api-keys', { name: 'wide', scopes: ['tools:call'] });
    expect([wide.status, Client.code(wide)]).toEqual([403, 'insufficient_role']);
  });
});

describe('a credential for one task', () => {
  let tom: Client;

  beforeAll(async () => {
    story.bench.add('other', { work: () => 1 });
    tom = await story.key(ann, {
      scopes: ['tools:read', 'tools:call'],
      task: { operations: ['callTool', 'searchTools', 'describeTool'], toolIds: ['echo'] },
    });
  });

  it('uses the operations of its allowlist', async () => {
    expect(tom.apiKey).toMatch(/^hlx_task_/);
    const made = await tom.call<{ createdBy: unknown }>('echo', {});
    expect([made.status, made.body.createdBy]).toEqual([
      201,
      { type: 'task', id: tom.apiKey?.split('_')[2] },
    ]);
  });

  it.each([
    ['GET', '/v1/api/tool-calls'],
    ['GET', '/v1/api/tool-calls/'],
    ['GET', '/V1/API/Tool-Calls'],
    ['HEAD', '/v1/api/tool-calls'],
    ['GET', '/v1/api/tool-calls/call_x'],
    ['GET', '/v1/api/tools/connections/treg'],
    ['PUT', '/v1/api/tools/connections/treg'],
    ['GET', '/v1/api/organizations'],
    ['POST', '/v1/api/api-keys'],
  ])('finds nothing elsewhere, whatever workspace it names: %s %s', async (method, path) => {
    const body = method === 'PUT' || method === 'POST' ? '{broken' : undefined;
    for (const headers of [{}, named(bob.organizationId), named('nonsense')])
      expect((await tom.send(method, path, body, headers)).status).toBe(404);
  });

  it('sees and calls the tools it is for, and no others', async () => {
    const found = await tom.get<{ items: { id: string }[]; sources: { total: number }[] }>(
      '/v1/api/tools?limit=1',
    );
    expect(found.body.items.map(({ id }) => id)).toEqual(['echo']);
    expect(found.body.sources[0]?.total).toBe(1);
    expect((await tom.get('/v1/api/tools/other')).status).toBe(404);
    expect((await tom.call('other', {})).status).toBe(404);
  });
});
