import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { ProbeModule } from './probe.module.js';

let helix: TestApp;
beforeAll(async () => {
  helix = await startTestApp({ module: ProbeModule });
});
afterAll(() => helix.close());

interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly body: {
    readonly error: string;
    readonly fields?: { path: string; code: string; message: string }[];
  };
}

/** The answer, after what every error answer must be was checked. */
async function ask(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(`${helix.url}${path}`, init);
  const text = await response.text();
  const body = JSON.parse(text) as Answer['body'];
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(response.headers.get('etag')).toBeNull();
  expect(response.headers.get('x-powered-by')).toBeNull();
  expect(Object.keys(body)).toEqual(body.fields ? ['error', 'fields'] : ['error']);
  expect(text).not.toMatch(/visible|SELECT|node_modules|\bat .*:\d+/);
  return { status: response.status, code: response.headers.get('x-helix-error'), body };
}

function post(
  path: string,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return ask(path, {
    method: 'POST',
    body: body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

test.each([
  ['/nowhere', 404, 'unknown_route'],
  ['/probe/nothing', 404, 'unknown_route'],
  ['/probe/fail/%E0%A4%A', 400, 'bad_request'],
  ['/%E0%A4%A', 400, 'bad_request'],
  ['/probe/rows/not-a-uuid', 404, 'unknown_route'],
  ['/probe/rows/a%00b', 404, 'unknown_route'],
  [`/probe/rows/${'a'.repeat(10_000)}`, 404, 'unknown_route'],
  ['/probe/fail/bug', 500, 'internal'],
  ['/probe/fail/sql', 500, 'internal'],
  ['/probe/fail/string', 500, 'internal'],
  ['/probe/fail/operator', 502, 'connect_failed'],
  ['/probe/fail/caller', 409, 'idempotency_mismatch'],
  ['/probe/fail/nest', 400, 'bad_request'],
  ['/probe/fail/headroom', 402, 'insufficient_headroom'],
  ['/probe/query?limit=1&limit=2', 400, 'bad_request'],
  ['/probe/query?limit=1000', 400, 'bad_request'],
  ['/probe/one?cursor=a&cursor=b', 400, 'bad_request'],
])('GET %s is %i %s', async (path, status, code) => {
  const answer = await ask(path);
  expect([answer.status, answer.code, answer.body.fields]).toEqual([status, code, undefined]);
});

test('a limit says how long to wait', async () => {
  const response = await fetch(`${helix.url}/probe/fail/limited`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
  await response.text();
});

test('unknown query parameters are ignored', async () => {
  const response = await fetch(`${helix.url}/probe/query?limit=5&__proto__=1&other=x&other=y`);
  expect([response.status, await response.json()]).toEqual([200, { limit: '5' }]);
});

test('what failed inside is in the log under the id of the request, without values and SQL', async () => {
  const response = await fetch(`${helix.url}/probe/fail/sql`, { headers: { 'x-request-id': 'my-own-id-1' } });
  await response.text();
  expect(response.headers.get('x-request-id')).toBe('my-own-id-1');
  const lines = helix
    .logged()
    .split('\n')
    .filter((line) => line.includes('my-own-id-1'));
  const failed = lines.find((line) => line.includes('A request failed.')) ?? '{}';
  expect(JSON.parse(failed)).toMatchObject({
    level: 'error',
    code: 'ENGINE.INTERNAL',
    error: { code: '42P01' },
  });
  expect(lines.join('\n')).not.toMatch(/tok_visible|SELECT/);
});

const proto = '{"__proto__":{"polluted":1},"constructor":{"x":1},"prototype":2,"toString":3}';

test('free-form input arrives as sent, whatever its members are called', async () => {
  const response = await fetch(`${helix.url}/probe/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"input":${proto}}`,
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([
    201,
    `{"own":["__proto__","constructor","prototype","toString"],"input":${proto},"isDto":true}`,
  ]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test.each([
  ['no JSON', '{"input":', [' syntax']],
  ['nothing', '', ['/input required']],
  ['an array', '[]', [' type']],
  ['null', 'null', [' type']],
  ['input as array', '{"input":[]}', ['/input type']],
  ['input null', '{"input":null}', ['/input type']],
  ['null for an optional property', '{"input":{},"projectId":null}', ['/projectId text']],
  ['an empty string', '{"input":{},"projectId":""}', ['/projectId text']],
  ['too many code points', `{"input":{},"projectId":"${'😀'.repeat(11)}"}`, ['/projectId text']],
  ['a negative amount', '{"input":{},"maxCostMicros":-1}', ['/maxCostMicros whole_number']],
  ['an amount as text', '{"input":{},"maxCostMicros":"1"}', ['/maxCostMicros whole_number']],
  ['an unknown property', '{"input":{},"status":"verified"}', ['/status unknown_property']],
  ['an unknown property of bad name', '{"input":{},"__proto__":{"a":1}}', ['/__proto__ unknown_property']],
  [
    'the same deeper',
    '{"input":{},"inner":{"name":"a","constructor":1}}',
    ['/inner/constructor unknown_property'],
  ],
  [
    'a fault deeper',
    '{"input":{},"inner":{"name":"abcdef","x":1}}',
    ['/inner/x unknown_property', '/inner/name text'],
  ],
  ['a scalar for an object', '{"input":{},"inner":"x"}', ['/inner type']],
  [
    'several faults',
    '{"funding":"free","maxCostMicros":1.5}',
    ['/input required', '/maxCostMicros whole_number', '/funding not_allowed'],
  ],
  ['a rounded integer in input', '{"input":{"a":[12345678901234567890]}}', ['/input/a/0 number_range']],
  ['a member twice in input', '{"input":{"a":1,"a":2}}', ['/input/a duplicate_member']],
  ['NUL in input', '{"input":{"a":"\\u0000"}}', ['/input/a nul_character']],
  [
    '5,000 levels',
    `{"input":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`,
    [expect.stringMatching(/ too_deep$/)],
  ],
])('%s is a ValidationError', async (_, body, faults) => {
  const answer = await post('/probe/echo', body);
  expect([answer.status, answer.code]).toEqual([400, 'validation_failed']);
  expect(answer.body.fields?.map(({ path, code }) => `${path} ${code}`)).toEqual(faults);
});

test('1.0 is the integer 1, and ten code points are ten characters', async () => {
  const body = `{"input":{},"maxCostMicros":1.0,"projectId":"${'😀'.repeat(10)}"}`;
  const response = await fetch(`${helix.url}/probe/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await response.text();
  expect(response.status).toBe(201);
});

test('values are never repeated', async () => {
  const answer = await post(
    '/probe/echo',
    '{"input":"tok_visible","projectId":["tok_visible"],"funding":"tok_visible"}',
  );
  expect(answer.status).toBe(400);
});

test.each([
  [{ 'content-type': 'text/plain' }, 'content_type'],
  [{ 'content-type': 'application/x-www-form-urlencoded' }, 'content_type'],
  [{ 'content-encoding': 'gzip' }, 'content_encoding'],
])('a body with %j is refused', async (headers, code) => {
  const answer = await post('/probe/echo', '{"input":{}}', headers);
  expect([answer.status, answer.body.fields?.[0]?.code]).toEqual([400, code]);
});

test('bytes that are not UTF-8 are refused', async () => {
  const answer = await post('/probe/echo', Buffer.from('{"input":{"a":"\xff"}}', 'latin1'));
  expect(answer.body.fields?.[0]?.code).toBe('encoding');
});

test('a body over 1 MiB is 413, whether its length is said or not', async () => {
  const large = 'x'.repeat(1_048_577);
  expect(await post('/probe/echo', large)).toMatchObject({ status: 413, code: 'payload_too_large' });
  const chunked = await new Promise<number>((resolve, reject) => {
    const request = httpRequest(`${helix.url}/probe/echo`, { method: 'POST' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    for (let part = 0; part < 32; part++) request.write(large.slice(0, 65_536));
    request.end();
  });
  expect(chunked).toBe(413);
});

test('who has no key is told so before the body is looked at', async () => {
  expect(await post('/probe/guarded', 'x'.repeat(2_000_000))).toMatchObject({
    status: 401,
    code: 'unauthenticated',
  });
  expect(await post('/probe/guarded', '{"broken')).toMatchObject({ status: 401 });
  expect(await post('/probe/guarded', 'x'.repeat(2_000_000), { 'x-api-key': 'right' })).toMatchObject({
    status: 413,
  });
});

test('a client that goes away in the middle of its body harms nobody', async () => {
  await new Promise<void>((resolve) => {
    const socket = connect(Number(new URL(helix.url).port), '127.0.0.1', () => {
      socket.write(
        'POST /probe/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      );
      setImmediate(() => socket.destroy());
    });
    socket.on('close', () => resolve());
  });
  expect((await fetch(`${helix.url}/health/live`)).status).toBe(200);
});

test('the document describes errors by the names of the contract', async () => {
  const document = (await (await fetch(`${helix.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, { content: object }> }>>;
    security: object[];
  };
  const { responses } = document.paths['/probe/echo']?.post ?? { responses: {} };
  expect(responses['400']?.content).toMatchObject({
    'application/json': {
      schema: {
        oneOf: [{ $ref: '#/components/schemas/ValidationError' }, { $ref: '#/components/schemas/ApiError' }],
      },
    },
  });
  expect(Object.keys(responses).sort()).toEqual(['400', '401', '413', '429', '500', '503']);
  expect(document.security).toEqual([{ apiKey: [] }, { sessionCookie: [] }]);
});
