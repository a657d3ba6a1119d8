import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../src/modules/access/index.js';
import { Client, type RestStory, startRest } from './support/client.js';

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly target: string;
  readonly userId: string | null;
  readonly requestId: string | null;
}
interface Page {
  readonly items: Entry[];
  readonly nextCursor: string | null;
}

let story: RestStory;
beforeAll(async () => {
  story = await startRest();
});
afterAll(() => story.close());

const log = '/v1/api/audit-log';

describe('the audit log', () => {
  it('tells who did what, to what, from where, and never a secret', async () => {
    const ann = await story.owner();
    const id = ann.apiKey?.split('_')[2] ?? '';
    const path = '/v1/api/tools/connections/treg';
    await ann.send(
      'PUT',
      path,
      { apiKey: 'a very secret token', organizationId: '' },
      { 'x-request-id': 'story-0001' },
    );
    await ann.send('DELETE', path);
    const rotated = await ann.send<{ apiKey: string }>('POST', `/v1/api/api-keys/${id}/rotate`, {});
    const page = await ann.get<Page>(log);
    expect(page.status).toBe(200);
    expect(page.body.items.map(({ action }) => action)).toEqual([
      'apiKey.rotate',
      'connection.remove',
      'connection.save',
      'apiKey.create',
      'organization.create',
    ]);
    expect(page.body.items[2]).toMatchObject({
      target: 'treg',
      actorType: 'apiKey',
      actorId: id,
      userId: ann.userId,
      address: '127.0.0.1',
      requestId: 'story-0001',
    });
    expect(page.body.items[3]).toMatchObject({ actorType: 'operator', userId: null, target: id });
    expect(page.text).not.toContain('very secret');
    expect(page.text).not.toContain(rotated.body.apiKey.split('_')[3]);
  });

  it('is for owners and admins of that workspace', async () => {
    const ann = await story.owner();
    const max = await story.member(ann, 'member');
    const refused = await max.get(log);
    expect([refused.status, Client.code(refused)]).toEqual([403, 'insufficient_role']);
    const bob = await story.owner();
    const targets = (await bob.get<Page>(log)).body.items.map(({ target }) => target);
    expect(targets).not.toContain(ann.organizationId);
  });

  it('is paged without skips while it grows, and its cursors fit no other list', async () => {
    const ann = await story.owner();
    const name = async (text: string) => ann.send('PATCH', '/v1/api/organizations/current', { name: text });
    for (const text of ['a', 'b', 'c', 'd', 'e']) await name(text);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = (await ann.get<Page>(`${log}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`))
        .body;
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      if (seen.length === 2) await name('meanwhile');
    } while (cursor !== null);
    expect(seen).toHaveLength(7);
    expect(new Set(seen).size).toBe(7);
    const { nextCursor } = (await ann.get<Page>(`${log}?limit=1`)).body;
    for (const path of [
      `${log}?action=apiKey.create&cursor=${nextCursor}`,
      `/v1/api/tool-calls?cursor=${nextCursor}`,
    ]) {
      const refused = await ann.get(path);
      expect([refused.status, Client.code(refused)]).toEqual([400, 'invalid_cursor']);
    }
    const filtered = await ann.get<Page>(`${log}?action=organization.create`);
    expect(filtered.body.items.map(({ action }) => action)).toEqual(['organization.create']);
  });

  it('cannot be changed, not even in the database', async () => {
    const database = story.helix.app.nest.get(DataSource);
    for (const statement of [
      `UPDATE audit_entry SET actor_id = 'somebody else'`,
      'DELETE FROM audit_entry',
      'TRUNCATE audit_entry',
    ])
      await expect(database.query(statement)).rejects.toThrow(/append-only/);
  });

  it('holds nothing of a change that was not made, and no change goes without it', async () => {
    const ann = await story.owner();
    const before = (await ann.get<Page>(log)).body.items.length;
    await ann.send('PATCH', '/v1/api/organizations/current', { name: 'stale' }, { 'if-match': '"9"' });
    expect((await ann.get<Page>(log)).body.items).toHaveLength(before);
    const trail = story.helix.app.nest.get(AuditTrail);
    const record = trail.record.bind(trail);
    trail.record = () => Promise.reject(new Error('The log is full.'));
    try {
      const answer = await ann.send('PATCH', '/v1/api/organizations/current', { name: 'unseen' });
      expect(answer.status).toBe(500);
    } finally {
      trail.record = record;
    }
    expect((await ann.get('/v1/api/organizations/current')).body).toMatchObject({ name: 'A workspace' });
  });
});
