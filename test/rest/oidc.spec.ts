import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchDocumented } from '../support/fetch-documented.js';
import { freePort } from '../support/free-port.js';
import { makeTestDatabase, type TestDatabase } from '../support/test-app.js';
import { CorporateProvider } from './support/corporate-provider.js';
import { type Client, type RestStory, startRest } from './support/client.js';
import { type Forgery, ForgingProvider } from './support/forging-provider.js';
import { pageOf } from './support/page.js';

const start = '/v1/api/auth/oidc/start';
const callback = '/v1/api/auth/oidc/callback';
const session = '/v1/api/auth/session';

/** A browser: keeps the cookie it is given, and follows nothing by itself. */
class Browser {
  cookie = '';

  async get(url: string) {
    const answer = await fetchDocumented(url, { headers: { cookie: this.cookie } });
    for (const line of answer.headers.getSetCookie()) this.cookie = line.split(';')[0] ?? '';
    const body = answer.status === 302 ? null : ((await answer.json()) as Record<string, unknown>);
    const code = answer.headers.get('x-helix-error');
    return { status: answer.status, location: answer.headers.get('location') ?? '', code, body };
  }
}

let database: TestDatabase;
let provider: CorporateProvider;
let story: RestStory;
let home: Client;
let url: string;

const environment = (port: number, issuer: string, more: Record<string, string>) => ({
  PORT: String(port),
  HELIX_PUBLIC_URL: `http://127.0.0.1:${port}`,
  HELIX_ALLOW_PRIVATE_EGRESS: '127.0.0.1',
  HELIX_OIDC_ISSUER: issuer,
  HELIX_OIDC_CLIENT_ID: 'helix',
  HELIX_OIDC_DOMAINS: 'corp.example, sub.corp.example',
  ...more,
});

beforeAll(async () => {
  database = await makeTestDatabase();
  const before = await startRest({ database });
  home = await before.owner();
  await before.close();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  provider = new CorporateProvider(await freePort());
  await provider.start(url + callback);
  story = await startRest({
    database,
    env: environment(port, provider.issuer, {
      HELIX_OIDC_CLIENT_SECRET: provider.clientSecret,
      HELIX_OIDC_ORGANIZATION: home.organizationId,
      HELIX_OIDC_ROLE: 'member',
    }),
  });
});
afterAll(async () => {
  await story.close();
  await provider.stop();
  await database.drop();
});

let count = 0;
/** A person at the provider. */
function person(more: { email?: string; email_verified?: boolean } = {}): { subject: string; email: string } {
  count += 1;
  const account = { email: `ann${count}@corp.example`, email_verified: true, name: `Ann ${count}`, ...more };
  provider.accounts.set(`subject-${count}`, account);
  return { subject: `subject-${count}`, email: account.email };
}

/** Goes to the provider and back, up to the address of the callback. */
async function visit(browser: Browser, subject: string, query = ''): Promise<string> {
  const begun = await browser.get(`${url}${start}${query}`);
  expect(begun.status).toBe(302);
  return provider.visit(begun.location, subject);
}

async function login(subject: string, browser = new Browser()) {
  return { browser, end: await browser.get(await visit(browser, subject)) };
}

interface Open {
  user: { id: string; email: string; isVerified: boolean };
  activeOrganizationId: string | null;
  method: string;
}
const sessionOf = async (browser: Browser) => (await browser.get(url + session)).body as unknown as Open;

describe('a corporate login', () => {
  it('makes an account and a membership the first time, and finds both the next', async () => {
    const { subject, email } = person();
    const { browser, end } = await login(subject);
    expect([end.status, end.location]).toEqual([302, '/docs']);
    const first = await sessionOf(browser);
    expect(first).toMatchObject({
      user: { email, isVerified: true },
      activeOrganizationId: home.organizationId,
      method: 'oidc',
    });
    // The subject is the person, whatever address the provider has for them by now.
    provider.accounts.set(subject, { email: 'married@corp.example', email_verified: true, name: 'Ann' });
    const again = await login(subject);
    expect((await sessionOf(again.browser)).user).toEqual(first.user);
    const owner = await story.key(home, {});
    const log = await owner.get<{ items: { action: string; actorId: string }[] }>(
      '/v1/api/audit-log?limit=9',
    );
    const told = log.body.items.filter(({ actorId }) => actorId === first.user.id);
    expect(told.map(({ action }) => action)).toEqual(['session.login', 'session.login', 'member.add']);
  });

  it('does not bring back whom an administrator removed', async () => {
    const { subject } = person();
    const { user } = await sessionOf((await login(subject)).browser);
    const owner = await story.key(home, {});
    expect((await owner.send('DELETE', `/v1/api/members/${user.id}`)).status).toBe(200);
    const { browser } = await login(subject);
    expect(await sessionOf(browser)).toMatchObject({ user: { id: user.id }, activeOrganizationId: null });
  });

  it('leads to a path of this site, under a new session id', async () => {
    const { subject } = person();
    const browser = new Browser();
    const back = await visit(browser, subject, `?returnTo=${encodeURIComponent('/docs?a=1#b')}`);
    const before = browser.cookie;
    expect((await browser.get(back)).location).toBe('/docs?a=1#b');
    expect(browser.cookie).not.toBe(before);
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'x'])(
    'hostile: an open redirect to %s is refused',
    async (to) => {
      const answer = await new Browser().get(`${url}${start}?returnTo=${encodeURIComponent(to)}`);
      expect([answer.status, answer.code]).toEqual([400, 'bad_request']);
    },
  );

  it('of an account with a password needs its session, and binds the identity once', async () => {
    const page = await pageOf(story);
    const { subject } = person({ email: page.email.replace('@example.com', '@corp.example') });
    await story.helix.app.nest
      .get(DataSource)
      .query(
        `UPDATE user_account SET email = replace(email, '@example.com', '@corp.example') WHERE id = $1`,
        [page.userId],
      );
    const stranger = await login(subject);
    expect([stranger.end.status, stranger.end.code]).toEqual([409, 'account_exists']);
    const owner = new Browser();
    owner.cookie = page.cookie ?? '';
    expect((await login(subject, owner)).end.status).toBe(302);
    expect((await sessionOf(owner)).user.id).toBe(page.userId);
    expect((await sessionOf((await login(subject)).browser)).user.id).toBe(page.userId);
  });

  it('hostile: an address that was given to another subject does not inherit the account', async () => {
    const first = person();
    await login(first.subject);
    const second = person({ email: first.email });
    const { end } = await login(second.subject);
    expect([end.status, end.code]).toEqual([403, 'login_refused']);
  });

  it.each([
    ['an address that is not verified', { email_verified: false }],
    ['an address of another domain', { email: 'ann@evil.example' }],
    ['a domain that only ends alike', { email: 'ann@notcorp.example' }],
    ['two at signs', { email: 'ann@evil.example@corp.example' }],
  ])('hostile: %s is refused', async (_, more) => {
    const { browser, end } = await login(person(more).subject);
    expect([end.status, end.code]).toEqual([403, 'login_refused']);
    expect((await browser.get(url + session)).status).toBe(401);
  });

  it('hostile: another state, another browser, and a code used before are refused', async () => {
    const { subject } = person();
    const browser = new Browser();
    const wrong = new URL(await visit(browser, subject));
    wrong.searchParams.set('state', 'another');
    expect((await browser.get(wrong.href)).code).toBe('login_refused');

    const back = await visit(browser, subject);
    expect((await new Browser().get(back)).code).toBe('login_refused');
    expect((await browser.get(back)).status).toBe(302);
    expect((await browser.get(back)).code).toBe('login_refused');
    // The code in a login of its own: its verifier belongs to another one.
    const other = new Browser();
    const fresh = new URL(await visit(other, subject));
    fresh.searchParams.set('code', new URL(back).searchParams.get('code') ?? '');
    expect((await other.get(fresh.href)).code).toBe('login_refused');
  });

  it('hostile 52: leaves neither the client secret nor codes in the log', async () => {
    const browser = new Browser();
    const back = await visit(browser, person().subject);
    await browser.get(back);
    for (const secret of [provider.clientSecret, new URL(back).searchParams.get('code') ?? ''])
      expect(story.helix.logged()).not.toContain(secret);
  });

  it('is not there where it is not set up', async () => {
    const plain = await startRest({ database });
    const answer = await new Browser().get(plain.helix.url + start);
    await plain.close();
    expect(answer.status).toBe(404);
  });
});

describe('a provider that lies', () => {
  let liar: ForgingProvider;
  let fooled: RestStory;

  beforeAll(async () => {
    const port = await freePort();
    liar = new ForgingProvider(await freePort());
    fooled = await startRest({ database, env: environment(port, liar.issuer, {}) });
  });
  afterAll(async () => {
    await fooled.close();
    await liar.stop();
  });

  async function attempt(forgery: Forgery, nonce?: string) {
    const browser = new Browser();
    const { location } = await browser.get(fooled.helix.url + start);
    const asked = new URL(location).searchParams;
    liar.give(nonce ?? asked.get('nonce') ?? '', forgery);
    return browser.get(`${fooled.helix.url}${callback}?code=any&state=${asked.get('state')}`);
  }

  it('is asked again once it is back, and then believed where its token is right', async () => {
    const gone = await new Browser().get(fooled.helix.url + start);
    expect([gone.status, gone.code]).toEqual([503, 'login_provider_unavailable']);
    await liar.start();
    expect((await attempt({ claims: { sub: 'honest', email: 'honest@corp.example' } })).status).toBe(302);
  });

  it.each<[string, Forgery, string?]>([
    ['another nonce', {}, 'another'],
    ['no signature (alg none)', { header: { alg: 'none' }, signature: 'none' }],
    ['a signature of another key', { signature: 'foreign' }],
    ['a symmetric algorithm', { header: { alg: 'HS256' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'another-client' } }],
    ['a token that has expired', { claims: { exp: 1_000_000_000 } }],
    ['an address verified in words only', { claims: { email_verified: 'true' } }],
  ])('hostile: %s is refused', async (_, forgery, nonce) => {
    const answer = await attempt(forgery, nonce);
    expect([answer.status, answer.code]).toEqual([403, 'login_refused']);
  });
});
