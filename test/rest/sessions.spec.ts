import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchDocumented } from '../support/fetch-documented.js';
import { startTestApp } from '../support/test-app.js';
import { type Client, type RestStory, startRest } from './support/client.js';
import { ownerPage, Page, pageOf, password } from './support/page.js';
import { restOver } from './support/workbench.js';

let story: RestStory;
beforeAll(async () => {
  story = await startRest();
  story.bench.add('echo', { work: (input) => input });
});
afterAll(() => story.close());

const list = '/v1/api/tool-calls';
const session = '/v1/api/auth/session';
const outcome = (answer: { status: number; headers: Headers }) => [
  answer.status,
  answer.headers.get('x-helix-error'),
];

describe('a browser session', () => {
  it('begins with e-mail and password, in any spelling of case, and acts in the workspace', async () => {
    const ann = await ownerPage(story);
    const begun = await ann.login({ email: ann.email.toUpperCase() });
    expect([begun.status, begun.body]).toMatchObject([
      200,
      {
        user: { id: ann.userId, email: ann.email, isVerified: true },
        activeOrganizationId: ann.organizationId,
        method: 'password',
      },
    ]);
    expect(begun.text).not.toContain(password);
    expect((await ann.get(list)).status).toBe(200);
    const made = await ann.call<{ createdBy: unknown }>('echo', {});
    expect([made.status, made.body.createdBy]).toEqual([201, { type: 'user', id: ann.userId }]);
    expect((await ann.get('/v1/api/me')).body).toMatchObject({ credential: 'session', id: ann.userId });
  });

  it('has a cookie that scripts cannot read and other sites do not send', async () => {
    const ann = await pageOf(story, {}, false);
    const [cookie] = (await ann.login()).headers.getSetCookie();
    expect(cookie).toMatch(/^helix_session=s%3A[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  });

  it('hostile 17: has a new id after a login', async () => {
    const ann = await pageOf(story);
    const before = ann.cookie ?? '';
    await ann.login();
    expect(ann.cookie).not.toBe(before);
    expect(outcome(await ann.get(session, { cookie: before }))).toEqual([401, 'unauthenticated']);
    expect((await ann.get(session)).status).toBe(200);
    const planted = new Page(ann.url, '', ann.userId, ann.email);
    planted.cookie = 'helix_session=s%3Aplanted.by-somebody';
    await planted.login();
    expect(planted.cookie).not.toContain('planted');
  });

  it('hostile 18: is over after the logout, on every node', async () => {
    const ann = await ownerPage(story);
    const other = await startTestApp({ module: restOver(story.bench), database: story.helix.database });
    try {
      const cookie = ann.cookie ?? '';
      const there = new Page(other.url, ann.organizationId, ann.userId, ann.email);
      expect((await there.get(list, { cookie })).status).toBe(200);
      expect((await ann.send('POST', '/v1/api/auth/logout')).status).toBe(204);
      expect(outcome(await ann.get(list, { cookie }))).toEqual([401, 'unauthenticated']);
      expect(outcome(await there.get(list, { cookie }))).toEqual([401, 'unauthenticated']);
    } finally {
      await other.close();
    }
  });

  it('hostile 12: is not asked where there is a key, even an empty one', async () => {
    const ann = await ownerPage(story);
    expect(outcome(await ann.get(list, { 'x-api-key': '' }))).toEqual([401, 'unauthenticated']);
    expect(outcome(await ann.get(list, { 'x-api-key': 'hlx_sk_wrong' }))).toEqual([401, 'unauthenticated']);
  });

  it('is not opened by a cookie that was made up or tampered with', async () => {
    const ann = await pageOf(story);
    for (const cookie of [
      'helix_session=x',
      `${ann.cookie}x`,
      (ann.cookie ?? '').replace(/\.[^.]*$/, '.AAAA'),
    ])
      expect((await ann.get(session, { cookie })).status).toBe(401);
  });

  it('goes on under another id when the password is changed, and every other one ends', async () => {
    const ann = await pageOf(story);
    const elsewhere = new Page(ann.url, '', ann.userId, ann.email);
    await elsewhere.login();
    const change = (currentPassword: string, newPassword: string) =>
      ann.send('POST', '/v1/api/auth/password', { currentPassword, newPassword });
    expect(outcome(await change('wrong', 'a new password indeed'))).toEqual([403, 'wrong_password']);
    expect((await change(password, 'too short')).status).toBe(400);
    expect((await change(password, 'a new password indeed')).status).toBe(200);
    expect((await ann.get(session)).status).toBe(200);
    expect((await elsewhere.get(session)).status).toBe(401);
    expect((await ann.login()).status).toBe(401);
    expect((await ann.login({ password: 'a new password indeed' })).status).toBe(200);
  });

  it('leaves no password and no cookie in the log', async () => {
    const ann = await pageOf(story);
    const value = decodeURIComponent(ann.cookie?.split('=')[1] ?? '').slice(2);
    expect(story.helix.logged()).not.toContain(password);
    expect(story.helix.logged()).not.toContain(value);
  });
});

describe('guessing passwords', () => {
  // An attempt is given back every few seconds: on a busy machine twenty of them would take longer.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('ends with 429 at the twentieth, whatever X-Forwarded-For says, and tells no accounts apart', async () => {
    const guessed = await startRest();
    try {
      const ann = await pageOf(guessed, {}, false);
      const answers = [];
      for (let turn = 0; turn < 20; turn += 1)
        answers.push(
          await ann.send(
            'POST',
            '/v1/api/auth/login',
            { email: turn % 2 === 0 ? ann.email : 'nobody@example.com', password: 'wrong' },
            { 'x-forwarded-for': `198.51.100.${turn}` },
          ),
        );
      expect(new Set(answers.slice(0, 18).map(({ text }) => text)).size).toBe(1);
      expect(answers[0]?.status).toBe(401);
      expect(answers[19]?.status).toBe(429);
      expect(Number(answers[19]?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await ann.login()).status).toBe(429);
      expect((await (await guessed.owner()).get(list)).status).toBe(200);
    } finally {
      await guessed.close();
    }
  }, 60_000);

  it('is counted before it is judged: many at once get no further', async () => {
    const guessed = await startRest();
    try {
      const ann = await pageOf(guessed, {}, false);
      const answers = await Promise.all(Array.from({ length: 40 }, () => ann.login({ password: 'wrong' })));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
    } finally {
      await guessed.close();
    }
  }, 60_000);

  it('does not count logins that were right', async () => {
    const ann = await pageOf(story);
    for (let turn = 0; turn < 22; turn += 1) expect((await ann.login()).status).toBe(200);
  }, 60_000);
});

describe('a request with a cookie that changes something', () => {
  const rename = '/v1/api/organizations/current';
  const send = (page: Page, headers: Record<string, string>) =>
    page.send('PATCH', rename, { name: 'renamed' }, headers);

  it.each<[string, Record<string, string>, number]>([
    ['our own page', { 'sec-fetch-site': 'same-origin' }, 200],
    ['a person who typed the address', { 'sec-fetch-site': 'none' }, 200],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }, 403],
    ['another site, by Origin', { origin: 'https://evil.example' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
  ])('is judged by where it comes from: %s', async (_, headers, status) => {
    const ann = await ownerPage(story);
    const answer = await send(ann, headers);
    expect(outcome(answer)).toEqual([status, status === 403 ? 'cross_site_request' : null]);
  });

  it('is refused where it does not say; reading is not', async () => {
    const ann = await ownerPage(story);
    const silent = await fetchDocumented(ann.url + rename, {
      method: 'PATCH',
      headers: { cookie: ann.cookie ?? '', 'content-type': 'application/json' },
      body: '{"name":"renamed"}',
    });
    expect(silent.status).toBe(403);
    expect((await fetchDocumented(ann.url + list, { headers: { cookie: ann.cookie ?? '' } })).status).toBe(
      200,
    );
  });

  it('is refused before the workspace and the body are looked at, and after who is asking', async () => {
    const ann = await ownerPage(story);
    const foreign = { origin: 'https://evil.example' };
    const answer = await ann.send('PATCH', rename, '{broken', {
      ...foreign,
      'x-organization-id': 'org_none',
    });
    expect(outcome(answer)).toEqual([403, 'cross_site_request']);
    const nobody = new Page(ann.url, '', '', '');
    expect((await nobody.send('PATCH', rename, '{broken', foreign)).status).toBe(401);
    expect(
      outcome(await ann.send('POST', '/v1/api/auth/login', { email: ann.email, password }, foreign)),
    ).toEqual([403, 'cross_site_request']);
  });

  it('with a key needs no such proof', async () => {
    const key = await story.owner();
    const answer = await key.send('PATCH', rename, { name: 'renamed' }, { origin: 'https://evil.example' });
    expect(answer.status).toBe(200);
  });
});

describe('on https', () => {
  it('the cookie has the prefix __Host- and is Secure, whatever the last hop speaks', async () => {
    const secure = await startRest({ env: { HELIX_PUBLIC_URL: 'https://helix.example' } });
    try {
      const ann = await pageOf(secure, {}, false);
      const answer = await ann.send(
        'POST',
        '/v1/api/auth/login',
        { email: ann.email, password },
        { origin: 'https://helix.example' },
      );
      const [cookie] = answer.headers.getSetCookie();
      expect(cookie).toMatch(
        /^__Host-helix_session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(answer.headers.get('strict-transport-security')).toContain('max-age=');
      expect((await ann.get(session)).status).toBe(200);
    } finally {
      await secure.close();
    }
  });
});

describe('which workspace a session acts in', () => {
  it('none at first, found without one, and made once however often it is asked for', async () => {
    const ann = await pageOf(story);
    expect(outcome(await ann.get(list))).toEqual([400, 'no_active_organization']);
    expect((await ann.get<{ items: unknown[] }>('/v1/api/organizations')).body.items).toEqual([]);
    const made = await Promise.all(
      [1, 2, 3].map(() => ann.send<{ id: string }>('POST', '/v1/api/organizations/personal')),
    );
    expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 201]);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect((await ann.get(list)).status).toBe(200);
  });

  it('the header goes before the active one; foreign ones are refused', async () => {
    const ann = await ownerPage(story);
    const second = (await ann.send<{ id: string }>('POST', '/v1/api/organizations', { name: 'Second' })).body
      .id;
    const current = async (headers: Record<string, string> = {}) =>
      (await ann.get<{ id: string }>('/v1/api/organizations/current', headers)).body.id;
    expect(await current()).toBe(ann.organizationId);
    expect(await current({ 'x-organization-id': second })).toBe(second);
    const active = await ann.send('POST', `/v1/api/organizations/${second}/activate`);
    expect(active.body).toMatchObject({ activeOrganizationId: second });
    expect(await current()).toBe(second);
    expect(await current({ 'x-organization-id': '' })).toBe(second);
    const bob = await story.owner();
    const foreign = `/v1/api/organizations/${bob.organizationId}/activate`;
    expect(outcome(await ann.send('POST', foreign))).toEqual([403, 'not_a_member']);
    expect(outcome(await ann.get(list, { 'x-organization-id': bob.organizationId }))).toEqual([
      403,
      'not_a_member',
    ]);
  });

  it('follows the membership, not the session', async () => {
    const owner = await story.owner();
    const max = await pageOf(story, { workspace: owner, role: 'member' });
    expect((await max.get(list)).status).toBe(200);
    await owner.send('DELETE', `/v1/api/members/${max.userId}`);
    expect(outcome(await max.get(list))).toEqual([403, 'not_a_member']);
  });
});

const mint = (page: Page) =>
  page.send<{ apiKey: string }>('POST', '/v1/api/api-keys', { name: 'x', scopes: ['tools:read'] });

describe('what is for people in person', () => {
  it('hostile 38: an API key is refused, whatever its scopes', async () => {
    const ann = await story.owner();
    for (const [method, path, body] of [
      ['GET', session, undefined],
      ['POST', '/v1/api/auth/logout', undefined],
      ['POST', '/v1/api/organizations', { name: 'x' }],
      ['POST', '/v1/api/organizations/personal', undefined],
      ['POST', `/v1/api/organizations/${ann.organizationId}/activate`, undefined],
      ['POST', '/v1/api/api-keys', { name: 'x', scopes: ['tools:read'] }],
    ] as const)
      expect([path, ...outcome(await ann.send(method, path, body))]).toEqual([path, 403, 'session_required']);
    const eve = await story.member(ann, 'member');
    expect(outcome(await ann.send('PATCH', `/v1/api/members/${eve.userId}`, { role: 'owner' }))).toEqual([
      403,
      'session_required',
    ]);
  });

  it('and for those whose address was proved', async () => {
    const owner = await story.owner();
    const eve = await pageOf(story, { workspace: owner, isVerified: false });
    expect(outcome(await mint(eve))).toEqual([403, 'unverified_session']);
    const ann = await pageOf(story, { workspace: owner });
    const minted = await mint(ann);
    expect(minted.status).toBe(201);
    expect((await ann.get('/v1/api/tools', { 'x-api-key': minted.body.apiKey })).status).toBe(200);
    const handOver = await ann.send('PATCH', `/v1/api/members/${eve.userId}`, { role: 'admin' });
    expect([handOver.status, handOver.body]).toMatchObject([200, { role: 'admin' }]);
  });
});

describe('invitations', () => {
  interface Sent {
    readonly id: string;
    readonly token: string;
  }
  const invitations = '/v1/api/invitations';
  const invite = (by: Client, body: Record<string, unknown>) => by.send<Sent>('POST', invitations, body);
  const accept = (by: Client, body: Record<string, unknown>) =>
    by.send('POST', `${invitations}/accept`, body);

  it('make a member of somebody new, once, who can log in then', async () => {
    const ann = await story.owner();
    const sent = await invite(ann, { email: 'New@Example.com', role: 'member' });
    expect([sent.status, sent.body]).toMatchObject([201, { email: 'new@example.com', role: 'member' }]);
    const { token } = sent.body;
    expect((await ann.get(invitations)).text).not.toContain(token);
    const nobody = new Page(ann.url, '', '', 'new@example.com');
    expect((await accept(nobody, { token })).body).toMatchObject({
      fields: [{ path: '/name' }, { path: '/password' }],
    });
    const account = { token, name: 'New', password };
    const both = await Promise.all([accept(nobody, account), accept(nobody, account)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(both.filter(({ status }) => status < 300)).toHaveLength(1);
    expect((await nobody.login()).body).toMatchObject({
      activeOrganizationId: ann.organizationId,
      user: { isVerified: true },
    });
    expect((await ann.get<{ items: unknown[] }>(invitations)).body.items).toEqual([]);
    expect(outcome(await accept(nobody, account))).toEqual([404, 'unknown_invitation']);
  });

  it('are accepted by whoever has an account with their session, and by no other person', async () => {
    const ann = await story.owner();
    const max = await pageOf(story);
    const { token } = (await invite(ann, { email: max.email, role: 'admin' })).body;
    const nobody = new Page(ann.url, '', '', '');
    expect(outcome(await accept(nobody, { token, name: 'Max', password }))).toEqual([409, 'account_exists']);
    const other = await pageOf(story);
    expect(outcome(await accept(other, { token }))).toEqual([404, 'unknown_invitation']);
    expect((await accept(max, { token })).status).toBe(200);
    expect((await max.get('/v1/api/api-keys', { 'x-organization-id': ann.organizationId })).status).toBe(200);
  });

  it('let a collaborator into one project', async () => {
    const ann = await story.owner();
    const projectId = (await ann.send<Sent>('POST', '/v1/api/projects', { name: 'one' })).body.id;
    expect((await invite(ann, { email: 'vic@example.com', role: 'collaborator' })).body).toMatchObject({
      fields: [{ path: '/projectId' }, { path: '/access' }],
    });
    expect((await invite(ann, { email: 'vic@example.com', role: 'member', projectId })).status).toBe(400);
    const draft = { email: 'vic@example.com', role: 'collaborator', projectId, access: 'write' };
    const { token } = (await invite(ann, draft)).body;
    const vic = new Page(ann.url, ann.organizationId, '', 'vic@example.com');
    await accept(vic, { token, name: 'Vic', password });
    await vic.login();
    expect((await vic.call('echo', {}, { projectId })).status).toBe(201);
    expect(outcome(await vic.call('echo', {}))).toEqual([403, 'no_project_access']);
    expect(outcome(await vic.get('/v1/api/members'))).toEqual([403, 'insufficient_role']);
  });

  it('are revoked, are for administrators, and make no owner without one in person', async () => {
    const ann = await story.owner();
    const { id, token } = (await invite(ann, { email: 'late@example.com', role: 'member' })).body;
    expect((await ann.send('DELETE', `${invitations}/${id}`)).status).toBe(200);
    const nobody = new Page(ann.url, '', '', '');
    expect(outcome(await accept(nobody, { token, name: 'Late', password }))).toEqual([
      404,
      'unknown_invitation',
    ]);
    const max = await story.member(ann, 'member');
    expect(outcome(await invite(max, { email: 'x@example.com', role: 'member' }))).toEqual([
      403,
      'insufficient_role',
    ]);
    expect(outcome(await invite(ann, { email: 'x@example.com', role: 'owner' }))).toEqual([
      403,
      'session_required',
    ]);
    const amy = await pageOf(story, { workspace: ann, role: 'admin' });
    expect(outcome(await invite(amy, { email: 'x@example.com', role: 'owner' }))).toEqual([
      403,
      'insufficient_role',
    ]);
    const bob = await story.owner();
    expect(outcome(await bob.send('DELETE', `${invitations}/${id}`))).toEqual([404, 'unknown_invitation']);
  });
});
