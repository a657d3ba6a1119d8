import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, eventually, type RestStory, startRest } from './support/client.js';
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
  resultTruncated: boolean;
  attempts: number;
  completedAt: string | null;
  error: { code: string; message: string; retryable: boolean } | null;
  cost: { actualMicros: number | null };
  funding: { requested: string; source: string };
}

const read = async (id: string) => (await ann.get<Call>(`/v1/api/tool-calls/${id}`)).body;

describe('a call', () => {
  it('is answered 201 when it is done, and can be read where Location says', async () => {
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
      cost: {
        status: 'not_metered',
        accountingService: 'helix',
        currency: 'USD',
        reservedMicros: null,
        actualMicros: null,
        chargedMicros: null,
      },
      createdBy: { type: 'apiKey', id: ann.apiKey?.split('_')[2] },
    });
    expect(made.body.id).toMatch(/^call_[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const location = made.headers.get('location') ?? '';
    expect(location).toBe(`/v1/api/tool-calls/${made.body.id}`);
    const answer = await ann.get(location);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(made.body);
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('runs on behalf of its caller', async () => {
    await ann.call('echo', { who: 'asks' });
    expect(story.bench.runs.at(-1)?.caller).toMatchObject({
      kind: 'apiKey',
      id: ann.apiKey?.split('_')[2],
      organizationId: ann.organizationId,
      projectId: null,
    });
  });

  it.each(['auto', 'hlix', 'organization'])(
    'of a free tool is made whatever funding is asked for: %s',
    async (funding) => {
      const made = await ann.call<Call>('echo', {}, { funding, maxCostMicros: 0 });
      expect([made.status, made.body.funding]).toEqual([201, { requested: funding, source: 'none' }]);
      expect(made.body.cost.actualMicros).toBeNull();
    },
  );

  it('that fails says why, and is 201 all the same', async () => {
    story.bench.add('failing', {
      work: () => {
        throw new Error('connect to 10.0.0.7 as admin:hunter22 refused');
      },
    });
    const made = await ann.call<Call>('failing', {});
    expect([made.status, made.body.status, made.body.result]).toEqual([201, 'failed', null]);
    expect(made.body.error).toMatchObject({ code: 'internal', retryable: false });
    expect(made.text).not.toContain('hunter22');
  });

  it('that takes longer than its policy allows has failed by then, whether its tool heeds that or not', async () => {
    story.bench.add('deaf', { work: () => new Promise(() => {}), policy: { timeoutMs: 50 } });
    const made = await ann.call<Call>('deaf', {});
    expect(made.body).toMatchObject({ status: 'failed', error: { code: 'timed_out', retryable: true } });
  });

  it('keeps of a large result what the policy allows', async () => {
    story.bench.add('large', { work: () => 'ä'.repeat(1_000), policy: { maxResultBytes: 101 } });
    const made = await ann.call<Call>('large', {});
    expect(made.body).toMatchObject({ status: 'succeeded', resultTruncated: true, result: 'ä'.repeat(50) });
    expect(await read(made.body.id)).toEqual(made.body);
  });

  it('keeps what JSON can say and databases stumble over', async () => {
    const odd = JSON.parse('{"nul":"\\u0000","half":"\\ud800","__proto__":{"x":1},"n":1e300}') as unknown;
    story.bench.add('odd', { work: () => odd });
    const made = await ann.call<Call>('odd', {});
    expect(made.body.status).toBe('succeeded');
    expect((await read(made.body.id)).result).toEqual(odd);
  });

  it('whose result cannot be written down has failed', async () => {
    story.bench.add('cycle', {
      work: () => {
        const ring: unknown[] = [];
        ring.push(ring);
        return ring;
      },
    });
    expect((await ann.call<Call>('cycle', {})).body.error?.code).toBe('unserializable_result');
  });
});

describe('waiting', () => {
  it('is up to the caller, and does not end the call', async () => {
    const held = gate();
    story.bench.add('held', { work: () => held.opened.then(() => 'done') });
    const more = { idempotencyKey: 'waits' };
    const first = await ann.call<Call>('held', {}, more, { prefer: 'respond-async, wait=0' });
    expect(first.status).toBe(201);
    expect(['queued', 'running']).toContain(first.body.status);
    const second = await ann.call<Call>('held', {}, more);
    expect(second.status).toBe(200);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('location')).toBeNull();
    expect([second.body.id, second.body.status]).toEqual([first.body.id, 'running']);
    held.open();
    await eventually(async () => (await ann.call<Call>('held', {}, more)).body.status).toBe('succeeded');
    expect(story.bench.runsOf('held')).toBe(1);
  });

  it('may be given up: the call goes on without its caller', async () => {
    const held = gate();
    const reached = gate();
    story.bench.add('left', {
      work: () => {
        reached.open();
        return held.opened.then(() => 'done');
      },
    });
    const url = new URL(`${ann.url}/v1/api/tools/left/call`);
    const headers = { 'x-api-key': ann.apiKey ?? '', 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', headers });
    sent.on('error', () => {});
    sent.end(JSON.stringify({ idempotencyKey: 'left alone', input: {} }));
    await reached.opened;
    sent.destroy();
    held.open();
    const again = () => ann.call<Call>('left', {}, { idempotencyKey: 'left alone' });
    await eventually(async () => (await again()).body.status).toBe('succeeded');
    expect(story.bench.runsOf('left')).toBe(1);
  });
});

describe('the same key', () => {
  it('hostile 31: two hundred times at once: one runs, and all hear of the same call', async () => {
    const held = gate();
    story.bench.add('counted', { work: () => held.opened.then(() => 'once') });
    const more = { idempotencyKey: randomUUID() };
    const sent = Array.from({ length: 200 }, () => ann.call<Call>('counted', { n: 1 }, more));
    // The others are answered while the one is held up: nobody waits for it but its own caller.
    await eventually(() => story.bench.runsOf('counted')).toBe(1);
    const early = await Promise.any(sent);
    expect(early.status).toBe(200);
    // As it stood when the replay was judged: before or after its run was marked as begun.
    expect(['queued', 'running']).toContain(early.body.status);
    held.open();
    const answers = await Promise.all(sent);
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array.from({ length: 199 }, () => 200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(story.bench.runsOf('counted')).toBe(1);
  }, 60_000);

  it('hostile 32: of a changed request is refused, whatever was changed', async () => {
    const project = await ann.send<{ id: string }>('POST', '/v1/api/projects', { name: 'compare' });
    story.bench.add('other', { work: () => 1 });
    const more = { idempotencyKey: 'compared' };
    const input = { a: { b: [1, { c: 'x' }] }, d: 1 };
    expect((await ann.call('echo', input, more)).status).toBe(201);
    const changed = [
      ann.call('echo', { ...input, a: { b: [1, { c: 'y' }] } }, more),
      ann.call('echo', input, { ...more, funding: 'hlix' }),
      ann.call('echo', input, { ...more, maxCostMicros: 0 }),
      ann.call('echo', input, { ...more, projectId: project.body.id }),
      ann.call('other', input, more),
      ann.call('nothing-like-it', input, more),
      ann.call('echo', input, { ...more, projectId: 'prj_unknown' }),
    ];
    for (const answer of await Promise.all(changed))
      expect([answer.status, Client.code(answer)]).toEqual([409, 'idempotency_mismatch']);
    const same = [
      ann.send(
        'POST',
        '/v1/api/tools/echo/call',
        '{"input":{"d":1.0,"a":{"b":[1e0,{"c":"x"}]}},"idempotencyKey":"compared"}',
      ),
      ann.call('echo', input, { ...more, funding: 'auto' }),
    ];
    for (const answer of await Promise.all(same)) expect(answer.status).toBe(200);
  });

  it('is compared before anything is told of a call that still runs', async () => {
    const held = gate();
    story.bench.add('long', { work: () => held.opened });
    const more = { idempotencyKey: 'in flight' };
    await ann.call('long', { n: 1 }, more, { prefer: 'wait=0' });
    expect((await ann.call('long', { n: 2 }, more)).status).toBe(409);
    held.open();
  });

  it('is known after its tool has vanished', async () => {
    story.bench.add('brief', { work: () => 'was here' });
    const more = { idempotencyKey: 'outlives the tool' };
    const made = await ann.call<Call>('brief', {}, more);
    story.bench.remove('brief');
    const again = await ann.call<Call>('brief', {}, more);
    expect([again.status, again.body]).toEqual([200, made.body]);
    expect((await ann.call('brief', {})).status).toBe(404);
  });

  it('may come with another key of the workspace', async () => {
    const more = { idempotencyKey: 'another replica' };
    const made = await ann.call<Call>('echo', {}, more);
    const other = await story.key(ann, {});
    const again = await other.call<Call>('echo', {}, more);
    expect([again.status, again.body.id]).toEqual([200, made.body.id]);
  });
});
