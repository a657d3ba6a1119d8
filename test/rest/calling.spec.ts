import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, type RestStory, startRest } from './support/client.js';
import { gate } from './support/workbench.js';

let story: RestStory;
let ann: Client;

beforeAll(async () => {
  story = await startRest();
  ann = await story.owner();
  story.bench.add('echo', { work: (input) => input });
});
afterAll(() => story.close());

interface Call {
  id: string;
  status: string;
  input: unknown;
  result: unknown;
  attempts: number;
  error: { code: string; message: string } | null;
}

describe('calling a tool', () => {
  it('answers 201 with the finished call, which can be read where Location says', async () => {
    const made = await ann.call<Call>('echo', { text: 'hello' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      organizationId: ann.organizationId,
      projectId: null,
      toolId: 'echo',
      provider: 'helix',
      status: 'succeeded',
      input: { text: 'hello' },
      result: { text: 'hello' },
      resultTruncated: false,
      error: null,
      attempts: 1,
      funding: { requested: 'auto', source: 'none' },
      cost: { status: 'not_metered', accountingService: 'helix', currency: 'USD', actualMicros: null },
    });
    expect(made.body.id).toMatch(/^call_[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const location = made.headers.get('location') ?? '';
    expect(location).toBe(`/v1/api/tool-calls/${made.body.id}`);
    const read = await ann.get(location);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(made.body);
  });

  it('answers a repeated request with the call it knows, in its present state', async () => {
    const held = gate();
    story.bench.add('held', { work: () => held.opened.then(() => 'done') });
    const more = { idempotencyKey: 'once' };
    const first = await ann.call<Call>('held', {}, more, { prefer: 'wait=0' });
    expect(first.status).toBe(201);
    expect(['queued', 'running']).toContain(first.body.status);
    const second = await ann.call<Call>('held', {}, more);
    expect(second.status).toBe(200);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body.id).toBe(first.body.id);
    expect(second.body.status).toBe('running');
    held.open();
    await expect.poll(async () => (await ann.call<Call>('held', {}, more)).body.status).toBe('succeeded');
    expect(story.bench.runsOf('held')).toBe(1);
  });
});
