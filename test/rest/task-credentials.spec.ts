import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, type RestStory, startRest } from './support/client.js';

interface Made {
  readonly id: string;
  readonly apiKey: string;
  readonly expiresAt: string;
}

let story: RestStory;
let ann: Client;
let projectId: string;
beforeAll(async () => {
  story = await startRest();
  story.bench.add('echo', { work: (input) => input });
  story.bench.add('other', { work: () => 1 });
  ann = await story.owner();
  projectId = (await ann.send<{ id: string }>('POST', '/v1/api/projects', { name: 'one' })).body.id;
});
afterAll(() => story.close());

const path = '/v1/api/task-credentials';
const outcome = (answer: { status: number; headers: Headers }) => [
  answer.status,
  answer.headers.get('x-helix-error'),
];
const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString();
const draft = (more: Record<string, unknown> = {}) => ({
  name: 'answer a ticket',
  operations: ['searchTools', 'callTool', 'getToolCall'],
  toolIds: ['echo'],
  projectId,
  maxSpendMicros: 0,
  expiresAt: inOneHour(),
  ...more,
});
const make = (by: Client, more: Record<string, unknown> = {}) => by.send<Made>('POST', path, draft(more));

describe('a task credential', () => {
  it('hostile 37: does what it is for, in its project, and finds nothing else', async () => {
    const made = await make(ann);
    expect([made.status, made.body]).toMatchObject([201, { projectId, maxSpendMicros: 0, spentMicros: 0 }]);
    const tom = ann.with(made.body.apiKey);
    expect((await tom.call('echo', {}, { projectId })).status).toBe(201);
    expect(outcome(await tom.call('echo', {}))).toEqual([403, 'no_project_access']);
    expect(outcome(await tom.call('other', {}, { projectId }))).toEqual([404, 'unknown_tool']);
    for (const [method, where] of [
      ['GET', '/v1/api/tool-calls'],
      ['GET', '/V1/API/TOOL-CALLS/'],
      ['HEAD', '/v1/api/tool-calls'],
      ['POST', path],
      ['GET', '/v1/api/me'],
    ] as const)
      expect((await tom.send(method, where, undefined, { 'x-organization-id': 'org_none' })).status).toBe(
        404,
      );
  });

  it('is listed without its secret, is no API key, and ends when it is revoked', async () => {
    const { id, apiKey } = (await make(ann)).body;
    const tom = ann.with(apiKey);
    expect((await tom.get('/v1/api/tools')).status).toBe(200);
    const listed = await ann.get(path);
    expect(listed.text).toContain(id);
    expect(listed.text).not.toContain(apiKey.split('_')[3]);
    expect((await ann.get('/v1/api/api-keys')).text).not.toContain(id);
    expect(outcome(await ann.send('POST', `/v1/api/api-keys/${id}/rotate`, {}))).toEqual([
      404,
      'unknown_api_key',
    ]);
    const stale = await ann.send('DELETE', `${path}/${id}`, undefined, { 'if-match': '"9"' });
    expect(outcome(stale)).toEqual([409, 'stale_revision']);
    expect((await ann.send('DELETE', `${path}/${id}`)).status).toBe(200);
    expect((await tom.get('/v1/api/tools')).status).toBe(401);
    const told = await ann.get<{ items: { action: string }[] }>('/v1/api/audit-log?limit=2');
    expect(told.body.items.map(({ action }) => action)).toEqual([
      'taskCredential.revoke',
      'taskCredential.create',
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an operation that does not exist', { operations: ['callTool', 'flyToTheMoon'] }, '/operations/1'],
    ['an operation of administrators', { operations: ['createProject'] }, '/operations/0'],
    ['an operation of people', { operations: ['logout'] }, '/operations/0'],
    ['a project that does not exist', { projectId: 'prj_none' }, '/projectId'],
    ['no budget', { maxSpendMicros: undefined }, '/maxSpendMicros'],
    ['an end that has passed', { expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    ['an end too far away', { expiresAt: '2999-01-01T00:00:00Z' }, '/expiresAt'],
  ])('is not made for %s', async (_, more, field) => {
    const answer = await make(ann, more);
    expect([answer.status, answer.body]).toMatchObject([400, { fields: [{ path: field }] }]);
  });

  it('is made by administrators, and by a key for no more than its own scopes', async () => {
    expect(outcome(await make(await story.member(ann, 'member')))).toEqual([403, 'insufficient_role']);
    const weak = await story.key(ann, { scopes: ['admin:*', 'tools:read'] });
    expect(outcome(await make(weak))).toEqual([403, 'insufficient_scope']);
    expect((await make(weak, { operations: ['searchTools'] })).status).toBe(201);
  });

  it('spends no more than its budget', async () => {
    const { id } = (await make(ann, { maxSpendMicros: 500 })).body;
    const listed = await ann.get<{ items: { id: string; maxSpendMicros: number }[] }>(path);
    expect(listed.body.items.find((one) => one.id === id)).toMatchObject({
      maxSpendMicros: 500,
      spentMicros: 0,
    });
  });
});

describe('the order in which a request is refused', () => {
  const large = 'x'.repeat(1_100_000);
  const call = '/v1/api/tools/echo/call';

  it('413 comes before 401, a missing address before both', async () => {
    const nobody = ann.with(undefined);
    expect((await nobody.send('POST', '/v1/api/nothing', large)).status).toBe(404);
    expect(outcome(await nobody.send('POST', call, large))).toEqual([413, 'payload_too_large']);
    expect(outcome(await nobody.send('POST', call, '{broken'))).toEqual([401, 'unauthenticated']);
  });

  it('then 404 outside the allowlist, 403 for the workspace, 403 for the scope, 400 for the body, 403 for the project', async () => {
    const bob = await story.owner();
    const foreign = { 'x-organization-id': bob.organizationId };
    const tom = ann.with((await make(ann, { operations: ['searchTools'] })).body.apiKey);
    const weak = await story.key(ann, { scopes: ['tools:read'] });
    const limited = await story.key(ann, { projectIds: [projectId] });
    expect(outcome(await tom.send('POST', call, '{broken', foreign))).toEqual([404, 'outside_allowlist']);
    expect(outcome(await weak.send('POST', call, '{broken', foreign))).toEqual([403, 'not_a_member']);
    expect(outcome(await weak.send('POST', call, '{broken'))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await limited.send('POST', call, '{broken'))).toEqual([400, 'validation_failed']);
    expect(outcome(await limited.call('nothing', {}))).toEqual([403, 'no_project_access']);
    expect(outcome(await ann.call('nothing', {}))).toEqual([404, 'unknown_tool']);
  });
});
