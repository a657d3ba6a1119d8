import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, eventually, type RestStory, startRest } from '../rest/support/client.js';
import { FakeTreg, json, type Reply, refuse } from './fake-treg.js';

const connection = '/v1/api/tools/connections/treg';

interface Call {
  id: string;
  status: string;
  result: unknown;
  error: { code: string; message: string; retryable: boolean; upstreamStatus: number | null } | null;
  cost: { status: string; actualMicros: number | null; reference: string | null; accountingService: string };
}
interface Found {
  items: { id: string; origin: string; pricing: { estimateMicros: number | null } }[];
  total: number | null;
  sources: { provider: string; status: string; total: number | null; message: string | null }[];
}

const treg = new FakeTreg();
let story: RestStory;
let ann: Client;
/** A workspace without a connection. */
let bob: Client;

beforeAll(async () => {
  await treg.start();
  treg.tool('fake.verify').tool('fake.get', {
    endpoint: { method: 'GET', input: { queryParams: { q: { type: 'string', required: true } } } },
  });
  story = await startRest({
    env: { HELIX_TREG_URL: treg.url, HELIX_ALLOW_PRIVATE_EGRESS: '127.0.0.1', HELIX_CALL_WAIT_MS: '15000' },
  });
  [ann, bob] = [await story.owner(), await story.owner()];
  await connect(treg.token);
});
afterAll(async () => {
  await story.close();
  await treg.stop();
});

async function connect(apiKey: string, organizationId = treg.organization): Promise<void> {
  await ann.send('PUT', connection, { apiKey, organizationId });
}

async function call(tool: string, input: unknown = { body: { email: 'a@b.example' } }): Promise<Call> {
  const answer = await ann.call<Call>(`treg:${tool}`, input);
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('the tools of Treg in the catalogue', () => {
  it('are found beside the own ones where the workspace has a connection, and only there', async () => {
    const found = (await ann.get<Found>('/v1/api/tools?query=fake')).body;
    expect(found.items.map(({ id }) => id)).toEqual(['treg:fake.verify', 'treg:fake.get']);
    expect(found.sources.find(({ provider }) => provider === 'treg')).toMatchObject({
      status: 'ok',
      total: 2,
    });
    expect(found.items[0]).toMatchObject({ origin: 'upstream', pricing: { estimateMicros: 1_200 } });
    const none = (await bob.get<Found>('/v1/api/tools?query=fake')).body;
    expect(none.items).toEqual([]);
    expect(none.sources.find(({ provider }) => provider === 'treg')).toMatchObject({
      status: 'not_configured',
    });
    expect((await bob.get('/v1/api/tools/treg:fake.verify')).status).toBe(404);
  });

  it('describe what they take, section by section', async () => {
    const { body } = await ann.get<{ inputSchema: unknown; policy: unknown }>(
      '/v1/api/tools/treg:fake.verify',
    );
    expect(body.inputSchema).toMatchObject({
      required: ['body'],
      additionalProperties: false,
      properties: {
        query: { properties: { page: { type: ['integer', 'string'] } } },
        body: { required: ['email'] },
      },
    });
    expect(body.policy).toMatchObject({ redispatch: 'with_upstream_key', sideEffects: 'unknown' });
    expect((await ann.get('/v1/api/tools/treg:fake.nothing')).status).toBe(404);
  });

  it('are left out, and named as unavailable, while Treg is down or silent: the others are found', async () => {
    treg.search = 'down';
    const found = await ann.get<Found>('/v1/api/tools?query=fake');
    treg.search = 'ok';
    expect(found.status).toBe(200);
    expect(found.body).toMatchObject({ items: [], total: null });
    expect(found.body.sources.map(({ provider, status }) => [provider, status])).toEqual([
      ['helix', 'ok'],
      ['treg', 'unavailable'],
    ]);
  });

  it.each([[null], ['many'], [-1]])('may not tell how many there are: %j', async (total) => {
    treg.total = total;
    const found = await ann.get<Found>('/v1/api/tools?query=fake');
    treg.total = undefined;
    expect(found.body).toMatchObject({ total: null });
  });

  it('refuse an input that does not fit before anything is sent', async () => {
    const answer = await ann.call('treg:fake.verify', { body: {} });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ fields: [{ path: '/input/body/email', code: 'required' }] });
    expect(treg.runs).toEqual([]);
  });
});

const text =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

describe('a call of a tool of Treg', () => {
  it('goes out with token, team, the call’s own id as key, and comes back with its cost', async () => {
    const made = await call('fake.verify', {
      path: { region: 'a/b' },
      query: { page: 2 },
      body: { email: 'ö@b.example' },
    });
    expect(made).toMatchObject({
      status: 'succeeded',
      result: { query: { region: 'a/b', page: '2' }, body: { email: 'ö@b.example' } },
      cost: { reference: 'ref-1', accountingService: 'treg' },
    });
    expect(treg.runsOf('fake.verify')).toMatchObject([
      { key: made.id, method: 'POST', meta: `helix_call=${made.id}`, organization: 'acme' },
    ]);
    expect((await call('fake.get', { query: { q: 'x' } })).result).toEqual({
      tool: 'fake.get',
      query: { q: 'x' },
      body: null,
    });
  });

  const outcomes: readonly (readonly [string, Reply, object, string])[] = [
    [
      '429',
      text(429, 'slow down', { 'retry-after': '7' }),
      { code: 'rate_limited', retryable: true, upstreamStatus: 429 },
      'failed',
    ],
    ['500', text(500, 'oops'), { code: 'unavailable', retryable: true }, 'failed'],
    [
      'html-403',
      text(403, '<html>blocked by a firewall</html>'),
      { code: 'refused', retryable: false },
      'failed',
    ],
    [
      'redirect',
      text(302, '', { location: 'http://169.254.169.254/' }),
      { code: 'refused', upstreamStatus: 302 },
      'failed',
    ],
    ['410', (_, response) => refuse(response, 410, { detail: 'retired' }), { code: 'retired' }, 'failed'],
    [
      '402',
      (_, response) => refuse(response, 402, { detail: { balance_micro: 123_456 } }),
      { code: 'unpaid' },
      'failed',
    ],
    [
      '409',
      (_, response) => refuse(response.setHeader('retry-after', '0'), 409, { detail: 'in flight' }),
      { code: 'unavailable', retryable: true },
      'failed',
    ],
    ['large', text(200, Buffer.alloc(9.5 * 1024 * 1024)), { code: 'unreadable' }, 'failed'],
    ['reset-before', (_, __, request) => request.socket.destroy(), { code: 'unreachable' }, 'unknown'],
    [
      'reset-headers',
      (_, response, request) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => request.socket.destroy());
      },
      { code: 'unreachable' },
      'unknown',
    ],
  ];
  it.each(outcomes)('ends as what it was: %s', async (name, reply, error, status) => {
    treg.tool(`fault.${name}`, { reply, cost: null });
    const made = await call(`fault.${name}`);
    expect(made).toMatchObject({ status, result: null });
    expect(made.error).toMatchObject(error);
    expect(JSON.stringify(made)).not.toContain('123456');
  });

  it.each([
    ['plain', Buffer.from('just text'), 'just text'],
    ['empty', Buffer.alloc(0), null],
    ['not-utf8', Buffer.from([0x66, 0xff, 0x66]), 'f\uFFFDf'],
    ['nul', Buffer.from('{"a":"\\u0000"}'), { a: '\0' }],
    ['surrogate', Buffer.from('{"a":"\\ud800"}'), { a: '\ud800' }],
  ])('keeps an odd answer as it is: %s', async (name, body, result) => {
    treg.tool(`odd.${name}`, { reply: text(200, body) });
    expect(await call(`odd.${name}`)).toMatchObject({ status: 'succeeded', result });
  });

  it('never shows the token, even where the tool echoes it', async () => {
    treg.tool('echo.token', {
      reply: (_, response, request) => json(response, 400, { got: request.headers }),
    });
    treg.tool('echo.result', {
      reply: (_, response, request) => json(response, 200, { got: request.headers }),
    });
    for (const made of [await call('echo.token'), await call('echo.result')])
      expect(JSON.stringify(made)).not.toContain(treg.token);
    expect(story.helix.logged()).not.toContain(treg.token);
  });

  it('waits for an earlier try that is still being worked on', async () => {
    let tries = 0;
    treg.tool('slow.twin', {
      reply: (given, response) =>
        ++tries < 3
          ? refuse(response.setHeader('retry-after', '0'), 409, {})
          : json(response, 200, given.tool),
    });
    expect(await call('slow.twin')).toMatchObject({ status: 'succeeded', result: 'slow.twin' });
    expect(treg.runsOf('slow.twin')).toHaveLength(1);
  });
});

function refusals(): Promise<number | undefined> {
  return story.helix.app.nest
    .get(DataSource)
    .query<{ rejections: number }[]>('SELECT rejections FROM tool_connection')
    .then(([row]) => row?.rejections);
}

describe('the saved connection', () => {
  it('is checked after it was saved', async () => {
    await connect(treg.token);
    await eventually(async () => (await ann.get(connection)).body['status']).toBe('verified');
    expect((await ann.get(connection)).body).toMatchObject({ lastVerifiedAt: expect.any(String) as string });
  });

  it('is rejected only after two refusals in a row, and then its calls are refused before they are made', async () => {
    await connect('tk_a_wrong_one');
    await eventually(refusals).toBe(1);
    expect((await ann.get(connection)).body['status']).toBe('saved');
    expect((await call('fake.verify')).error).toMatchObject({ code: 'credential_refused', retryable: false });
    await eventually(async () => (await ann.get(connection)).body['status']).toBe('rejected');
    const refused = await ann.call('treg:fake.verify', { body: { email: 'a' } });
    expect([refused.status, Client.code(refused)]).toEqual([409, 'connection_unavailable']);
    await connect(treg.token);
    await eventually(async () => (await ann.get(connection)).body['status']).toBe('verified');
    expect((await call('fake.verify')).status).toBe('succeeded');
  });
});
