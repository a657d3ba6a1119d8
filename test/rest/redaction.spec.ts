import { afterAll, beforeAll, expect, it } from 'vitest';
import { scopes } from '../../src/modules/access/index.js';
import { FakeTreg } from '../treg/fake-treg.js';
import { Client, type RestStory, startRest } from './support/client.js';
import { ownerPage, password } from './support/page.js';

/** Everything a caller can hold that must not be known, used rightly and wrongly, with every line of the log read. */
const treg = new FakeTreg();
let story: RestStory;

beforeAll(async () => {
  await treg.start();
  treg.tool('fake.verify');
  story = await startRest({
    env: { HELIX_TREG_URL: treg.url, HELIX_ALLOW_PRIVATE_EGRESS: '127.0.0.1', HELIX_CALL_WAIT_MS: '15000' },
  });
  story.bench.add('fail', {
    work: (input) => {
      throw new Error(`the upstream said ${JSON.stringify(input)}`);
    },
  });
});
afterAll(async () => {
  await story.close();
  await treg.stop();
});

it('hostile 52: of every secret that a whole story uses, the log holds none', async () => {
  const secrets: string[] = [];
  const secret = (text: string | undefined): string => {
    if (text === undefined || text.length < 8) throw new Error('This is no secret to look for.');
    secrets.push(text);
    return text;
  };
  const page = await ownerPage(story);
  secret(password);
  const cookieOf = () => secret(decodeURIComponent(page.cookie ?? '').split('=s:')[1]);
  cookieOf();

  const wrong = secret('a wrong pass phrase');
  expect((await page.login({ password: wrong })).status).toBe(401);
  const next = secret('another good pass phrase');
  const change = { currentPassword: password, newPassword: next };
  expect((await page.send('POST', '/v1/api/auth/password', change)).status).toBe(200);
  cookieOf();

  const mint = { name: 'a key', scopes: [...scopes] };
  const made = await page.send<{ id: string; apiKey: string }>('POST', '/v1/api/api-keys', mint);
  expect(made.status).toBe(201);
  const key = page.with(secret(made.body.apiKey));
  const rotated = await page.send<{ apiKey: string }>('POST', `/v1/api/api-keys/${made.body.id}/rotate`, {});
  expect(rotated.status).toBe(200);
  const ann = new Client(page.url, secret(rotated.body.apiKey), page.organizationId, page.userId);
  expect((await key.get('/v1/api/tools')).status).toBe(200);
  const forged = `${made.body.apiKey.slice(0, -1)}${made.body.apiKey.endsWith('0') ? '1' : '0'}`;
  expect((await ann.with(secret(forged)).get('/v1/api/tools')).status).toBe(401);

  const project = await ann.send<{ id: string }>('POST', '/v1/api/projects', { name: 'one' });
  const task = await ann.send<{ apiKey: string }>('POST', '/v1/api/task-credentials', {
    name: 'a task',
    operations: ['callTool'],
    projectId: project.body.id,
    maxSpendMicros: 0,
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const tom = ann.with(secret(task.body.apiKey));
  expect((await tom.call('fail', {}, { projectId: project.body.id })).status).toBe(201);

  const invitation = await page.send<{ token: string }>('POST', '/v1/api/invitations', {
    email: 'new@example.com',
    role: 'member',
  });
  const accept = {
    token: secret(invitation.body.token),
    name: 'New',
    password: secret('the third pass phrase'),
  };
  expect((await ann.with(undefined).send('POST', '/v1/api/invitations/accept', accept)).status).toBe(200);

  const connection = '/v1/api/tools/connections/treg';
  const upstream = { apiKey: secret(treg.token), organizationId: treg.organization };
  expect((await ann.send('PUT', connection, upstream)).status).toBe(200);
  expect((await ann.call('treg:fake.verify', { body: { email: 'a@b.example' } })).status).toBe(201);
  expect((await ann.send('PUT', connection, { ...upstream, apiKey: [upstream.apiKey] })).status).toBe(400);
  expect((await ann.send('PUT', connection, `{"apiKey":"${upstream.apiKey}`)).status).toBe(400);
  await ann.send('PUT', connection, { apiKey: secret('a token the upstream refuses'), organizationId: '' });
  await ann.get(`/v1/api/tools?query=${encodeURIComponent(upstream.apiKey)}&apiKey=${made.body.apiKey}`);
  expect((await page.send('POST', '/v1/api/auth/logout')).status).toBe(204);

  for (const entry of story.helix.database.keyring.split(',')) secret(entry.split(':')[1]);
  secret(story.helix.database.url);
  const log = story.helix.logged();
  // The story itself is there: a log of nothing would hold no secret either.
  for (const place of ['/v1/api/auth/login', '/v1/api/api-keys', connection]) expect(log).toContain(place);
  for (const text of secrets)
    for (const form of [text, encodeURIComponent(text), Buffer.from(text).toString('base64')])
      expect(log.includes(form), `The log holds ${text.slice(0, 4)}…`).toBe(false);
});
