import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, type RestStory, startRest } from './support/client.js';

const path = '/v1/api/tools/connections/treg';
const token = 'Zq7-Wx9_Kv3.Jy5~Bp1';

let story: RestStory;
let ann: Client;
let max: Client;

interface Connection {
  configured: boolean;
  organizationId: string | null;
  status: string;
  createdAt: string | null;
  updatedAt: string | null;
}

const none = {
  provider: 'treg',
  configured: false,
  organizationId: null,
  status: 'not_configured',
  lastVerifiedAt: null,
  lastUsedAt: null,
  createdAt: null,
  updatedAt: null,
  updatedBy: null,
};

beforeAll(async () => {
  story = await startRest();
  ann = await story.owner();
  max = await story.member(ann, 'member');
});
afterAll(() => story.close());

const put = (body: unknown, client = ann) => client.send<Connection>('PUT', path, body);
const stored = () =>
  story.helix.app.nest
    .get(DataSource)
    .query<{ sealed_token: string; id: string }[]>('SELECT * FROM tool_connection');

function pieces(text: string): string[] {
  return Array.from({ length: text.length - 3 }, (_, at) => text.slice(at, at + 4));
}

describe('the Treg connection', () => {
  it('is not there at first, and removing it then is no mistake', async () => {
    expect((await ann.get(path)).body).toEqual(none);
    const removed = await ann.send('DELETE', path);
    expect([removed.status, removed.body]).toEqual([200, none]);
  });

  it.each([
    ['apiKey', { apiKey: 'first-line\nsecond: line', organizationId: '' }],
    ['apiKey', { apiKey: 'token-with-\u{1f600}', organizationId: '' }],
    ['apiKey', { apiKey: 'token\u007f', organizationId: '' }],
    ['organizationId', { apiKey: token, organizationId: 'team\r\nX-Other: 1' }],
  ])('refuses what no request to Treg could carry in its headers: %s of %j', async (name, body) => {
    const refused = await ann.send<{ error: string; fields: unknown[] }>('PUT', path, body);
    expect([refused.status, refused.body.fields]).toEqual([
      400,
      [expect.objectContaining({ path: `/${name}`, code: 'header_text' })],
    ]);
    expect(refused.body.error).not.toContain('line\n');
    expect(await stored()).toEqual([]);
  });

  it('takes a token with the line break it was copied with', async () => {
    expect((await put({ apiKey: `${token}\n`, organizationId: '' })).status).toBe(200);
    await ann.send('DELETE', path);
  });

  it('hostile 22: is saved encrypted, and no four characters of the token are ever shown', async () => {
    const saved = await put({ apiKey: token, organizationId: '' });
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({
      provider: 'treg',
      configured: true,
      organizationId: '',
      status: 'saved',
    });
    const read = await max.get(path);
    expect(read.body).toEqual(saved.body);
    const [row] = await stored();
    expect(row?.sealed_token).toMatch(/^v1\.test\./);
    for (const piece of pieces(token)) {
      for (const text of [saved.text, read.text, story.helix.logged()]) expect(text).not.toContain(piece);
    }
  });

  it('is replaced as a whole', async () => {
    const first = (await ann.get<Connection>(path)).body;
    const second = (await put({ apiKey: 'another token', organizationId: 'team-b' })).body;
    expect(second).toMatchObject({ organizationId: 'team-b', status: 'saved', createdAt: first.createdAt });
    expect(await stored()).toHaveLength(1);
  });

  it('hostile 35: is for owners and admins to change, and is left alone by others', async () => {
    for (const answer of [
      await put({ apiKey: 'x', organizationId: '' }, max),
      await max.send('DELETE', path),
    ])
      expect([answer.status, Client.code(answer)]).toEqual([403, 'insufficient_role']);
    expect((await ann.get<Connection>(path)).body.organizationId).toBe('team-b');
    const admin = await story.member(ann, 'admin');
    expect((await put({ apiKey: 'x', organizationId: 'by-admin' }, admin)).status).toBe(200);
  });

  it.each([
    [{ apiKey: '', organizationId: '' }, '/apiKey'],
    [{ apiKey: 'x'.repeat(10_001), organizationId: '' }, '/apiKey'],
    [{ apiKey: `${token}\0`, organizationId: '' }, ''],
    [{ apiKey: 7, organizationId: '' }, '/apiKey'],
    [{ apiKey: token }, '/organizationId'],
    [{ apiKey: token, organizationId: 'o'.repeat(41) }, '/organizationId'],
    [{ apiKey: token, organizationId: null }, '/organizationId'],
    [{ apiKey: token, organizationId: '', status: 'verified' }, '/status'],
    [{ apiKey: { token }, organizationId: '' }, '/apiKey'],
  ])('hostile 21, 23: refuses a wrong body without repeating it: %#', async (body, place) => {
    const answer = await put(body);
    expect(answer.status).toBe(400);
    const fields = (answer.body as unknown as { fields: { path: string }[] }).fields;
    expect(fields.some(({ path: where }) => where.startsWith(place))).toBe(true);
    for (const piece of pieces(token)) expect(answer.text).not.toContain(piece);
  });

  it('does not open in the row of another workspace: it is unreadable there, and PUT mends it', async () => {
    const bob = await story.owner();
    await put({ apiKey: token, organizationId: '' });
    await put({ apiKey: 'of bob', organizationId: '' }, bob);
    await story.helix.app.nest.get(DataSource).query(
      `UPDATE tool_connection SET sealed_token = (SELECT sealed_token FROM tool_connection WHERE organization_id = $1)
       WHERE organization_id = $2`,
      [ann.organizationId, bob.organizationId],
    );
    expect((await bob.get<Connection>(path)).body).toMatchObject({ configured: true, status: 'unreadable' });
    expect((await put({ apiKey: 'of bob', organizationId: '' }, bob)).body.status).toBe('saved');
  });

  it('is removed with all that was kept of it', async () => {
    const removed = await ann.send('DELETE', path);
    expect([removed.status, removed.body]).toEqual([200, none]);
    expect((await ann.get(path)).body).toEqual(none);
  });

  it('is the workspace’s own: another one has none', async () => {
    await put({ apiKey: token, organizationId: 'mine' });
    expect((await (await story.owner()).get(path)).body).toEqual(none);
  });
});
