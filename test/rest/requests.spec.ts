import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, Client, type RestStory, startRest } from './support/client.js';

let story: RestStory;
let ann: Client;

interface Problem {
  error: string;
  fields: { path: string; code: string; message: string }[];
}

beforeAll(async () => {
  story = await startRest();
  ann = await story.owner();
  story.bench.add('echo', { work: (input) => input });
  story.bench.add('strict', {
    work: (input) => input,
    schema: {
      type: 'object',
      properties: { number: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
      required: ['number'],
      additionalProperties: false,
    },
  });
  story.bench.add('filed', { work: () => 1, policy: { requiresProject: true } });
});
afterAll(() => story.close());

const send = (body: unknown, tool = 'echo') => ann.send<Problem>('POST', `/v1/api/tools/${tool}/call`, body);
const places = (answer: Answer<Problem>) => answer.body.fields?.map(({ path, code }) => `${path} ${code}`);
const key = (name = 'k') => `"idempotencyKey":"${name}-${Math.random()}"`;

describe('the body of a call', () => {
  it.each([
    ['{', ' syntax'],
    ['[]', ' type'],
    ['null', ' type'],
    ['{}', '/idempotencyKey required,/input required'],
    ['{"idempotencyKey":"","input":{}}', '/idempotencyKey text'],
    ['{"idempotencyKey":"k","input":[]}', '/input type'],
    ['{"idempotencyKey":"k","input":null}', '/input type'],
    ['{"idempotencyKey":"k","input":{},"funding":"card"}', '/funding not_allowed'],
    ['{"idempotencyKey":"k","input":{},"funding":null}', '/funding not_allowed'],
    ['{"idempotencyKey":"k","input":{},"maxCostMicros":-1}', '/maxCostMicros whole_number'],
    ['{"idempotencyKey":"k","input":{},"maxCostMicros":0.5}', '/maxCostMicros whole_number'],
    ['{"idempotencyKey":"k","input":{},"maxCostMicros":null}', '/maxCostMicros whole_number'],
    ['{"idempotencyKey":"k","input":{},"maxCostMicros":9007199254740992}', '/maxCostMicros number_range'],
    ['{"idempotencyKey":"k","input":{},"projectId":""}', '/projectId text'],
    ['{"idempotencyKey":"k","input":{},"projectId":null}', '/projectId text'],
    ['{"idempotencyKey":"k","input":{},"colour":"red"}', '/colour unknown_property'],
    ['{"idempotencyKey":"k","input":{"a":1,"a":2}}', '/input/a duplicate_member'],
    ['{"idempotencyKey":"k","input":{"n":[12345678901234567890]}}', '/input/n/0 number_range'],
    ['{"idempotencyKey":"k","input":{"t":"\\u0000"}}', '/input/t nul_character'],
    ['{"idempotencyKey":"k","input":{"t":"\\ud800"}}', '/input/t lone_surrogate'],
  ])('is refused: %s', async (body, expected) => {
    const answer = await send(body);
    expect([answer.status, places(answer)?.join(',')]).toEqual([400, expected]);
  });

  it('hostile 26, 27: is refused at 5,000 levels, and at 1.1 MiB', async () => {
    const deep = await send(`{"idempotencyKey":"k","input":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`);
    expect([deep.status, places(deep)?.[0]?.split(' ')[1]]).toEqual([400, 'too_deep']);
    const large = await send(`{"idempotencyKey":"k","input":{"a":"${'x'.repeat(1_153_434)}"}}`);
    expect([large.status, Client.code(large)]).toEqual([413, 'payload_too_large']);
  });

  it('is refused unless it is JSON in UTF-8', async () => {
    const form = await ann.send<Problem>('POST', '/v1/api/tools/echo/call', 'input=1', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([form.status, places(form)]).toEqual([400, [' content_type']]);
  });

  it('counts the characters of the idempotency key as code points', async () => {
    for (const [name, status] of [
      ['é'.repeat(200), 201],
      ['😀'.repeat(200), 201],
      ['😀'.repeat(201), 400],
      ['a\u{FE0F}'.repeat(101), 400],
    ] as const)
      expect((await ann.call('echo', {}, { idempotencyKey: name })).status).toBe(status);
  });

  it('hostile 24: may hold members that other programs stumble over, and gives them back', async () => {
    const input = '{"constructor":{"a":1},"__proto__":{"x":1},"prototype":[],"toString":"t","":0}';
    const answer = await ann.send<{ id: string }>(
      'POST',
      '/v1/api/tools/echo/call',
      `{${key()},"input":${input}}`,
    );
    expect(answer.status).toBe(201);
    expect(answer.text).toContain(`"input":${input}`);
    expect(answer.text).toContain(`"result":${input}`);
    expect((await ann.get(`/v1/api/tool-calls/${answer.body.id}`)).text).toContain(`"input":${input}`);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('may hold the largest safe integer as a budget, and 1.0 for 1', async () => {
    for (const budget of ['9007199254740991', '1.0', '0'])
      expect((await send(`{${key()},"input":{},"maxCostMicros":${budget}}`)).status).toBe(201);
  });
});

describe('the input of a call', () => {
  it('is checked against the schema of the tool, place by place, without a value in the answer', async () => {
    const answer = await ann.call<Problem>('strict', { count: 0, colour: 'hunter2' });
    expect(answer.status).toBe(400);
    expect(places(answer)?.toSorted()).toEqual([
      '/input/colour additionalProperties',
      '/input/count minimum',
      '/input/number required',
    ]);
    expect(answer.text).not.toContain('hunter2');
  });

  it('is refused before anything is stored: the key stays free', async () => {
    const more = { idempotencyKey: 'stays free' };
    expect((await ann.call('strict', {}, more)).status).toBe(400);
    expect((await ann.call('strict', { number: '1' }, more)).status).toBe(201);
  });

  it('needs a project where the tool asks for one', async () => {
    const answer = await ann.call<Problem>('filed', {});
    expect([answer.status, places(answer)]).toEqual([400, ['/projectId required']]);
  });

  it('belongs to a tool that exists; `connections` is not one', async () => {
    for (const tool of [
      'nothing',
      'connections',
      'treg:hunter.find',
      'helix:echo',
      'ECHO',
      'x'.repeat(500),
    ]) {
      const answer = await ann.call(tool, {});
      expect([answer.status, answer.body]).toEqual([
        404,
        { error: 'No such tool or call in this workspace.' },
      ]);
    }
  });
});

describe('query parameters', () => {
  it.each(['0', '101', '-1', '1e2', '', '%205', '5.0', '05', '+5', '1&limit=2', '١'])(
    'hostile 28: refuse limit=%s with an ApiError',
    async (limit) => {
      for (const path of ['/v1/api/tool-calls', '/v1/api/tools']) {
        const answer = await ann.get<Problem>(`${path}?limit=${limit}`);
        expect([answer.status, answer.body.fields]).toEqual([400, undefined]);
      }
    },
  );

  it('take a limit from 1 to 100, and pass over what they do not know', async () => {
    for (const limit of ['1', '30', '99', '100'])
      expect((await ann.get(`/v1/api/tool-calls?limit=${limit}&colour=red`)).status).toBe(200);
  });

  it('hostile 29: count a query of 500 characters, not bytes', async () => {
    const query = (text: string) => ann.get(`/v1/api/tools?query=${encodeURIComponent(text)}`);
    expect((await query('x'.repeat(501))).status).toBe(400);
    expect((await query('x'.repeat(500))).status).toBe(200);
    expect((await query('😀'.repeat(500))).status).toBe(200);
    expect((await query('😀'.repeat(501))).status).toBe(400);
    expect((await ann.get('/v1/api/tools?query=%00')).status).toBe(400);
    expect((await ann.get('/v1/api/tools?query=a&query=b')).status).toBe(400);
  });

  it('refuse a cursor that was made up', async () => {
    for (const cursor of ['', 'x', 'AAAA', '%F0%9F%98%80', 'a&cursor=b'])
      expect((await ann.get(`/v1/api/tool-calls?cursor=${cursor}`)).status).toBe(400);
  });
});
