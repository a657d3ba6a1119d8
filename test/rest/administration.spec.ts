import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/modules/access/index.js';
import { CollaboratorsService } from '../../src/modules/organizations/index.js';
import { Client, type RestStory, startRest } from './support/client.js';
import { ownerPage } from './support/page.js';

interface Revised {
  readonly id: string;
  readonly userId: string;
  readonly revision: number;
}

let story: RestStory;

beforeAll(async () => {
  story = await startRest();
  story.bench.add('echo', { work: (input) => input });
});
afterAll(() => story.close());

const members = '/v1/api/members';
const projects = '/v1/api/projects';
const outcome = (answer: { status: number; headers: Headers }) => [
  answer.status,
  answer.headers.get('x-helix-error'),
];
const ifMatch = (revision: number) => ({ 'if-match': `"${revision}"` });

const grant = async (ann: Client, vic: Client, projectId: string, access: 'read' | 'write') => {
  const place = { organizationId: ann.organizationId, projectId, userId: vic.userId };
  await story.helix.app.nest.get(CollaboratorsService).grant(place, access, null, operator);
  return story.keyIn(ann, vic);
};

describe('members', () => {
  it('are seen by members, and given another role by administrators', async () => {
    const ann = await story.owner();
    const max = await story.member(ann, 'member');
    const listed = await max.get<{ items: Revised[] }>(members);
    expect(listed.body.items.map(({ userId }) => userId)).toEqual([ann.userId, max.userId]);
    expect(outcome(await max.send('PATCH', `${members}/${max.userId}`, { role: 'admin' }))).toEqual([
      403,
      'insufficient_role',
    ]);
    const changed = await ann.send('PATCH', `${members}/${max.userId}`, { role: 'admin' });
    expect([changed.status, changed.body]).toMatchObject([200, { role: 'admin', revision: 2 }]);
    expect((await max.get('/v1/api/api-keys')).status).toBe(200);
  });

  it('an admin neither makes nor unmakes an owner', async () => {
    const ann = await story.owner();
    const amy = await story.member(ann, 'admin');
    for (const answer of [
      await amy.send('PATCH', `${members}/${amy.userId}`, { role: 'owner' }),
      await amy.send('PATCH', `${members}/${ann.userId}`, { role: 'member' }),
      await amy.send('DELETE', `${members}/${ann.userId}`),
    ])
      expect(outcome(answer)).toEqual([403, 'insufficient_role']);
  });

  it('the last owner stays, also where two leave at once', async () => {
    const page = await ownerPage(story);
    for (const answer of [
      await page.send('DELETE', `${members}/${page.userId}`),
      await page.send('PATCH', `${members}/${page.userId}`, { role: 'admin' }),
    ])
      expect(outcome(answer)).toEqual([409, 'last_owner']);
    const ann = await story.owner();
    const eve = await story.member(ann, 'owner');
    const both = await Promise.all(
      [ann, eve].map((one) => one.send('DELETE', `${members}/${one.userId}`).then(({ status }) => status)),
    );
    // Whoever comes second is refused, or is no member any more if asked for that late.
    expect(both.filter((status) => status === 200)).toHaveLength(1);
  });

  it('may leave, and remove nobody else', async () => {
    const ann = await story.owner();
    const max = await story.member(ann, 'member');
    const pat = await story.member(ann, 'member');
    expect(outcome(await max.send('DELETE', `${members}/${pat.userId}`))).toEqual([403, 'insufficient_role']);
    expect((await max.send('DELETE', `${members}/${max.userId}`)).status).toBe(200);
    expect(outcome(await max.get('/v1/api/tools'))).toEqual([403, 'not_a_member']);
  });

  it('of another workspace are not there', async () => {
    const ann = await story.owner();
    const bob = await story.owner();
    for (const [method, body] of [
      ['PATCH', { role: 'member' }],
      ['DELETE', undefined],
    ] as const)
      expect(outcome(await ann.send(method, `${members}/${bob.userId}`, body))).toEqual([
        404,
        'unknown_member',
      ]);
  });
});

describe('what was changed in the meantime', () => {
  it('is refused with 409 for every kind of thing, and nothing is changed', async () => {
    const ann = await story.owner();
    const max = await story.member(ann, 'member');
    const project = (await ann.send<Revised>('POST', projects, { name: 'first name' })).body;
    const key = (await story.key(ann, {})).apiKey?.split('_')[2];
    const changes = [
      ['PATCH', `${members}/${max.userId}`, { role: 'admin' }],
      ['DELETE', `${members}/${max.userId}`, undefined],
      ['PATCH', `${projects}/${project.id}`, { name: 'second name' }],
      ['DELETE', `${projects}/${project.id}`, undefined],
      ['PATCH', '/v1/api/organizations/current', { name: 'second name' }],
      ['POST', `/v1/api/api-keys/${key}/rotate`, {}],
      ['DELETE', `/v1/api/api-keys/${key}`, undefined],
    ] as const;
    for (const [method, path, body] of changes)
      expect([path, ...outcome(await ann.send(method, path, body, ifMatch(7)))]).toEqual([
        path,
        409,
        'stale_revision',
      ]);
    const unchanged = await ann.get<Revised>(`${projects}/${project.id}`);
    expect(unchanged.body).toMatchObject({ name: 'first name', revision: 1 });
    expect((await ann.get(`/v1/api/api-keys/${key}`)).body).toMatchObject({ revokedAt: null, revision: 1 });
  });

  it('is changed where the revision is the present one, in either spelling, and by one of two at once', async () => {
    const ann = await story.owner();
    const { id } = (await ann.send<Revised>('POST', projects, { name: 'a' })).body;
    const rename = (name: string, header: string) =>
      ann.send<Revised>('PATCH', `${projects}/${id}`, { name }, { 'if-match': header });
    expect((await rename('b', '"1"')).body.revision).toBe(2);
    expect((await rename('c', '2')).body.revision).toBe(3);
    expect((await rename('d', '*')).body.revision).toBe(4);
    const both = await Promise.all([rename('e', '"4"'), rename('f', '"4"')]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(outcome(await rename('g', 'W/"5"'))).toEqual([400, 'bad_request']);
  });
});

describe('projects', () => {
  it('are made, renamed and removed; names are taken once', async () => {
    const ann = await story.owner();
    const first = (await ann.send<Revised>('POST', projects, { name: 'one' })).body;
    const second = (await ann.send<Revised>('POST', projects, { name: 'two' })).body;
    expect(outcome(await ann.send('POST', projects, { name: 'one' }))).toEqual([409, 'name_taken']);
    expect(outcome(await ann.send('PATCH', `${projects}/${second.id}`, { name: 'one' }))).toEqual([
      409,
      'name_taken',
    ]);
    const made = await ann.call<Revised>('echo', {}, { projectId: first.id });
    expect((await ann.send('DELETE', `${projects}/${first.id}`)).status).toBe(200);
    expect(outcome(await ann.get(`${projects}/${first.id}`))).toEqual([404, 'unknown_project']);
    expect(outcome(await ann.call('echo', {}, { projectId: first.id }))).toEqual([404, 'unknown_project']);
    expect((await ann.get(`/v1/api/tool-calls/${made.body.id}`)).status).toBe(200);
  });

  it('of another workspace are not there', async () => {
    const ann = await story.owner();
    const bob = await story.owner();
    const { id } = (await bob.send<Revised>('POST', projects, { name: 'secret' })).body;
    for (const [method, path, body] of [
      ['GET', `${projects}/${id}`, undefined],
      ['PATCH', `${projects}/${id}`, { name: 'mine' }],
      ['DELETE', `${projects}/${id}`, undefined],
      ['GET', `${projects}/${id}/collaborators`, undefined],
    ] as const)
      expect(outcome(await ann.send(method, path, body))).toEqual([404, 'unknown_project']);
  });

  it('that a key is to be limited to must be there', async () => {
    const ann = await story.owner();
    const bob = await story.owner();
    const { id } = (await bob.send<Revised>('POST', projects, { name: 'secret' })).body;
    await expect(story.key(ann, { projectIds: [id] })).rejects.toMatchObject({
      fields: [{ path: '/projectIds/0', code: 'unknown_project' }],
    });
  });
});

describe('collaborators', () => {
  it('reach their projects alone, and call tools where they may write', async () => {
    const ann = await story.owner();
    const [readable, writable, hidden] = await Promise.all(
      ['read', 'write', 'hidden'].map(
        async (name) => (await ann.send<Revised>('POST', projects, { name })).body.id,
      ),
    );
    const outsider = await story.owner();
    await grant(ann, outsider, readable ?? '', 'read');
    const vic = await grant(ann, outsider, writable ?? '', 'write');

    expect((await vic.get<{ items: unknown[] }>(projects)).body.items).toHaveLength(2);
    expect((await vic.get('/v1/api/tools')).status).toBe(200);
    expect((await vic.call('echo', {}, { projectId: writable })).status).toBe(201);
    for (const more of [{}, { projectId: readable }, { projectId: hidden }, { projectId: 'prj_none' }])
      expect(outcome(await vic.call('echo', {}, more))).toEqual([403, 'no_project_access']);

    const seen = await ann.call<Revised>('echo', {}, { projectId: readable });
    const unseen = await ann.call<Revised>('echo', {}, { projectId: hidden });
    expect((await vic.get(`/v1/api/tool-calls/${seen.body.id}`)).status).toBe(200);
    expect(outcome(await vic.get(`/v1/api/tool-calls/${unseen.body.id}`))).toEqual([
      403,
      'no_project_access',
    ]);
    const all = await vic.get<{ items: { projectId: string }[] }>('/v1/api/tool-calls');
    expect(new Set(all.body.items.map(({ projectId }) => projectId))).toEqual(new Set([readable, writable]));
  });

  it('see nothing else of the workspace', async () => {
    const ann = await story.owner();
    const { id } = (await ann.send<Revised>('POST', projects, { name: 'one' })).body;
    const vic = await grant(ann, await story.owner(), id, 'write');
    for (const path of [members, '/v1/api/tools/connections/treg', '/v1/api/api-keys', '/v1/api/audit-log'])
      expect([path, ...outcome(await vic.get(path))]).toEqual([path, 403, 'insufficient_role']);
  });

  it('are let in further, and shut out at once', async () => {
    const ann = await story.owner();
    const { id } = (await ann.send<Revised>('POST', projects, { name: 'one' })).body;
    const vic = await grant(ann, await story.owner(), id, 'read');
    const path = `${projects}/${id}/collaborators/${vic.userId}`;
    expect((await ann.send('PUT', path, { access: 'write' }, ifMatch(1))).body).toMatchObject({
      revision: 2,
    });
    expect(outcome(await ann.send('PUT', path, { access: 'read' }, ifMatch(1)))).toEqual([
      409,
      'stale_revision',
    ]);
    expect((await vic.call('echo', {}, { projectId: id })).status).toBe(201);
    expect((await ann.send('DELETE', path)).status).toBe(200);
    expect(outcome(await vic.get('/v1/api/tools'))).toEqual([403, 'not_a_member']);
    expect(outcome(await ann.send('DELETE', path))).toEqual([404, 'unknown_member']);
  });

  it('are people the workspace knows, and no members', async () => {
    const ann = await story.owner();
    const max = await story.member(ann, 'member');
    const stranger = await story.owner();
    const { id } = (await ann.send<Revised>('POST', projects, { name: 'one' })).body;
    const put = (userId: string) =>
      ann.send('PUT', `${projects}/${id}/collaborators/${userId}`, { access: 'read' });
    expect(outcome(await put(stranger.userId))).toEqual([404, 'unknown_member']);
    expect(outcome(await put(max.userId))).toEqual([409, 'already_a_member']);
  });
});

describe('a key cannot get more than it has', () => {
  it('by rotating the key of another person, or a mightier one', async () => {
    const ann = await story.owner();
    const amy = await story.member(ann, 'admin');
    const id = ann.apiKey?.split('_')[2];
    expect(outcome(await amy.send('POST', `/v1/api/api-keys/${id}/rotate`, {}))).toEqual([
      403,
      'insufficient_role',
    ]);
    const weak = await story.key(ann, { scopes: ['admin:*'] });
    expect(outcome(await weak.send('POST', `/v1/api/api-keys/${id}/rotate`, {}))).toEqual([
      403,
      'insufficient_scope',
    ]);
    expect((await ann.get('/v1/api/tools')).status).toBe(200);
  });

  it('by a limit to projects that leaves the rest of the workspace open', async () => {
    const ann = await story.owner();
    const { id } = (await ann.send<Revised>('POST', projects, { name: 'one' })).body;
    const limited = await story.key(ann, { projectIds: [id] });
    for (const path of ['/v1/api/api-keys', members, '/v1/api/audit-log'])
      expect(outcome(await limited.get(path))).toEqual([403, 'insufficient_role']);
  });
});
