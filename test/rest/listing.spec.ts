import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, type RestStory, startRest } from './support/client.js';

interface Page {
  items: { id: string; createdAt: string }[];
  nextCursor: string | null;
}

let story: RestStory;
let ann: Client;

beforeAll(async () => {
  story = await startRest();
  story.bench.add('echo', { work: (input) => input });
  ann = await story.owner();
});
afterAll(() => story.close());

async function walk(limit: number, between?: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await ann.get<Page>(`/v1/api/tool-calls?limit=${limit}${cursor}`);
    expect(status).toBe(200);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    seen.push(...body.items.map(({ id }) => id));
    if (body.nextCursor === null) return seen;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    await between?.();
  }
}

describe('listing calls', () => {
  it('is empty in a new workspace, with a cursor of null', async () => {
    expect((await ann.get('/v1/api/tool-calls')).body).toEqual({ items: [], nextCursor: null });
  });

  it('is newest first, without input and result, thirty at a time', async () => {
    for (let turn = 0; turn < 31; turn += 1) await ann.call('echo', { turn });
    const { body } = await ann.get<Page>('/v1/api/tool-calls');
    expect(body.items).toHaveLength(30);
    expect(body.nextCursor).not.toBeNull();
    const times = body.items.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(body.items.every((item) => !('input' in item) && !('result' in item))).toBe(true);
  });

  it('shows each call once while new ones are made between the pages', async () => {
    const before = await walk(100);
    const seen = await walk(4, () => ann.call('echo', {}));
    expect(seen).toEqual(before);
  });

  it('loses none of many calls of one millisecond, nor of one microsecond', async () => {
    const database = story.helix.app.nest.get(DataSource);
    await database.query(
      `UPDATE tool_call SET created_at = '2026-01-01 00:00:00.000123Z'::timestamptz
         + make_interval(secs => (ascii(right(id, 1)) % 4) * 0.000001)`,
    );
    const all = await walk(100);
    for (const limit of [1, 2, 7]) expect(await walk(limit)).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  });

  it('ends with null where the last page is just full', async () => {
    const bob = await story.owner();
    for (let turn = 0; turn < 3; turn += 1) await bob.call('echo', {});
    expect((await bob.get<Page>('/v1/api/tool-calls?limit=3')).body.nextCursor).toBeNull();
    expect((await bob.get<Page>('/v1/api/tool-calls?limit=2')).body.nextCursor).not.toBeNull();
  });

  it('filters by project', async () => {
    const project = (await ann.send<{ id: string }>('POST', '/v1/api/projects', { name: 'filter' })).body.id;
    const made = await ann.call<{ id: string }>('echo', {}, { projectId: project });
    const { body } = await ann.get<Page>(`/v1/api/tool-calls?projectId=${project}`);
    expect(body.items.map(({ id }) => id)).toEqual([made.body.id]);
  });
});
