import { afterAll, beforeAll, expect, it } from 'vitest';
import { HelixLog } from '../../src/common/platform/logging/helix-log.js';
import { type Client, type RestStory, startRest } from '../rest/support/client.js';
import { ownerPage, type Page, password } from '../rest/support/page.js';
import { secretWatch } from './secret-guard.js';

/** Proof that the guard of every story can fail: a Helix that tells its secrets, by the log it really has. */
let story: RestStory;
let ann: Client;
let page: Page;

beforeAll(async () => {
  story = await startRest();
  ann = await story.owner();
  page = await ownerPage(story);
});
afterAll(() => story.close());

const tell = (facts: Record<string, unknown>) =>
  story.helix.app.nest.get(HelixLog).write('info', 'A careless line.', facts);
const found = () => secretWatch.leaks().map(({ secret, form }) => `${secret}, ${form}`);

it('finds what callers show and are given, and nothing where nothing is told', async () => {
  await ann.get('/v1/api/tools');
  const made = await page.send<{ apiKey: string }>('POST', '/v1/api/api-keys', {
    name: 'one',
    scopes: ['tools:read'],
  });
  await page.get('/v1/api/tools');
  await page.send('POST', '/v1/api/auth/password', {
    currentPassword: password,
    newPassword: 'a "new" one of it',
  });
  expect(found()).toEqual([]);

  tell({ note: `for ${ann.apiKey}.` });
  expect(found()).toEqual([
    'x-api-key of a request, plain',
    'x-api-key of a request, JSON',
    'x-api-key of a request, JSON in JSON',
    'x-api-key of a request, URL-encoded',
  ]);
  tell({ note: made.body.apiKey });
  expect(found()).toContain('"apiKey" of an answer, plain');
  tell({ note: password });
  expect(found()).toContain('"password" of a request, plain');
  tell({ note: 'a "new" one of it' });
  expect(found()).toContain('"newPassword" of a request, JSON');
  tell({ note: decodeURIComponent(page.cookie ?? '') });
  expect(found().join()).toContain('cookie of');
});

it('finds a secret in other clothes, and never repeats it', () => {
  const key = ann.apiKey ?? '';
  tell({ note: Buffer.from(`user:${key}`).toString('base64') });
  tell({ note: Buffer.from(`x:${key}`).toString('base64url') });
  tell({ note: Buffer.from(key).toString('hex') });
  tell({ note: JSON.stringify({ password: 'a "new" one of it' }) });
  const leaks = secretWatch.leaks();
  const forms = leaks.map(({ form }) => form);
  expect(forms).toEqual(expect.arrayContaining(['hex', 'base64 shifted by 2', 'JSON in JSON']));
  for (const { line } of leaks) expect(line).toContain('A careless line.');
  expect(JSON.stringify(leaks)).not.toContain(key);
});

it('the log itself masks what Helix was given to keep', () => {
  tell({ note: story.helix.database.keyring });
  expect(found()).toEqual([]);
  expect(story.helix.logged()).toContain('[secret]');
});
