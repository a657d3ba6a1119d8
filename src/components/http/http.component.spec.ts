import { describe, expect, it } from 'vitest';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { Exchange, type ExchangeInit } from '../../common/engine/model/exchange.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ManualClock, settled } from '../../common/engine/testing/manual-clock.js';
import type { HttpAnswer, HttpCaller, HttpCallRequest } from './http-caller.js';
import { HttpComponent } from './http.component.js';

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Answers by the address, and keeps what it was asked. */
class ScriptedCaller implements HttpCaller {
  readonly asked: HttpCallRequest[] = [];
  closed = 0;

  constructor(private readonly replies: Readonly<Record<string, Reply>> = {}) {}

  async call(request: HttpCallRequest): Promise<HttpAnswer> {
    this.asked.push(request);
    const { status = 200, headers = {}, body = '' } = this.replies[request.url.href] ?? {};
    return { status, headers, body: typeof body === 'string' ? Buffer.from(body) : body };
  }

  close(): void {
    this.closed++;
  }
}

describeComponent(
  () => new HttpComponent('http', new ScriptedCaller(), new ManualClock()),
  'http://host/path',
  'http://host:8080?method=PUT&timeout=5s&redirects=none',
);
describeComponent(
  () => new HttpComponent('https', new ScriptedCaller(), new ManualClock()),
  'https://host/path',
);

interface Call {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly message?: Partial<ExchangeInit>;
  readonly replies?: Readonly<Record<string, Reply>>;
}

async function call(uri: string, { parameters, message, replies }: Call = {}) {
  const caller = new ScriptedCaller(replies);
  const clock = new ManualClock();
  const parsed = EndpointUri.parse(uri, parameters);
  const component = new HttpComponent(parsed.scheme as 'http', caller, clock);
  const exchange = new Exchange({ id: 'x', ...message });
  try {
    await component.endpoint(parsed).producer?.()(exchange);
  } catch (thrown) {
    exchange.fail(thrown);
  }
  expect(clock.pending).toBe(0);
  return { exchange, asked: caller.asked, request: caller.asked[0] };
}

const text = (request: HttpCallRequest | undefined): string => Buffer.from(request?.body ?? []).toString();

describe('http:// sends', () => {
  it.each([
    [null, undefined, 'GET', '', undefined],
    [{ a: 1 }, undefined, 'POST', '{"a":1}', 'application/json'],
    ['hällo', undefined, 'POST', 'hällo', 'text/plain; charset=utf-8'],
    [Buffer.from([0, 255]), 'PUT', 'PUT', Buffer.from([0, 255]).toString(), 'application/octet-stream'],
    [{ a: 1 }, 'GET', 'GET', '', undefined],
    [{ a: 1 }, 'DELETE', 'DELETE', '', undefined],
    [0, 'PATCH', 'PATCH', '0', 'application/json'],
  ])('%j with the method %s as %s', async (body, method, expected, sent, type) => {
    const { request } = await call('http://host/p', {
      message: { body },
      ...(method === undefined ? {} : { parameters: { method } }),
    });
    expect(request?.method).toBe(expected);
    expect(text(request)).toBe(sent);
    expect(request?.headers['content-type']).toBe(type);
  });

  it('a form where the content type says so', async () => {
    const { request } = await call('http://host/p', {
      message: { body: { a: '1 2', b: ['x', 'y'], none: null } },
      parameters: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(text(request)).toBe('a=1+2&b=x&b=y');
  });

  it('query parameters of the option and of the message, encoded', async () => {
    const { request, exchange } = await call('http://host/p', {
      message: { headers: { HelixHttpQuery: { q: 'a&b', n: [1, 2], no: null } } },
      parameters: { query: { key: 'ä' } },
    });
    expect(request?.url.href).toBe('http://host/p?key=%C3%A4&q=a%26b&n=1&n=2');
    expect(exchange.headers.has('HelixHttpQuery')).toBe(false);
  });

  it('of the message only the headers that are named, and none of the connection', async () => {
    const { request } = await call('http://host/p', {
      message: {
        headers: { Authorization: 'inbound secret', 'X-Trace': 't', Host: 'evil', Connection: 'x' },
      },
      parameters: {
        headers: { 'X-API-Key': 'k' },
        bearer: 'b',
        'send-headers': ['x-trace', 'host', 'connection'],
      },
    });
    expect(request?.headers).toEqual({
      accept: 'application/json, */*;q=0.8',
      'user-agent': 'helix',
      'x-trace': 't',
      'x-api-key': 'k',
      authorization: 'Bearer b',
    });
  });

  it('the method that the message names, once', async () => {
    const { request, exchange } = await call('http://host/p', {
      message: { body: 1, headers: { HelixHttpMethod: 'put' } },
    });
    expect(request?.method).toBe('PUT');
    expect(exchange.headers.has('HelixHttpMethod')).toBe(false);
    const wrong = await call('http://host/p', { message: { headers: { HelixHttpMethod: 'TRACE' } } });
    expect(wrong.exchange.failure?.code).toBe('HTTP.TARGET_REFUSED');
    expect(wrong.asked).toEqual([]);
  });

  it.each([
    ['http://user:pass@host/', {}, /Credentials/],
    ['http://', {}, /no address/],
    ['http://ho st/', {}, /no address/],
    ['http://host/', { headers: { Host: 'other' } }, /connection itself/],
    ['http://host/', { method: 'TRACE' }, /one of GET/],
  ])('nothing where the endpoint is wrong: %s %j', (uri, parameters, why) => {
    const component = new HttpComponent('http', new ScriptedCaller(), new ManualClock());
    expect(() => component.endpoint(EndpointUri.parse(uri, parameters))).toThrow(why);
  });
});

const reply = (body: string | Uint8Array, type?: string): Call => ({
  replies: { 'http://host/p': { body, headers: type === undefined ? {} : { 'content-type': type } } },
});

describe('http:// receives', () => {
  it.each([
    ['{"a":[1]}', 'application/json; charset=utf-8', { a: [1] }],
    ['{"a":1}', 'application/problem+json', { a: 1 }],
    ['plain', 'text/plain', 'plain'],
    [Buffer.from([0xe4]), 'text/plain; charset=iso-8859-1', 'ä'],
    ['', 'application/json', null],
    [Buffer.from([0, 0x80, 0xff]), 'image/png', Buffer.from([0, 0x80, 0xff])],
    [Buffer.from([1]), undefined, Buffer.from([1])],
  ])('%j as %s', async (body, type, expected) => {
    const { exchange } = await call('http://host/p', reply(body, type));
    expect(exchange.failure).toBeNull();
    expect(exchange.body).toEqual(expected);
  });

  it.each([
    ['{broken', 'application/json'],
    [Buffer.from([0xff]), 'text/plain'],
    ['x', 'text/plain; charset=klingon'],
  ])('never %j as %s: that fails', async (body, type) => {
    const { exchange } = await call('http://host/p', { ...reply(body, type), message: { body: 'before' } });
    expect(exchange.failure?.code).toBe('HTTP.UNREADABLE_REPLY');
    expect(exchange.body).toBe('before');
  });

  it('status and headers under names that no reply of the workflow itself takes over', async () => {
    const { exchange } = await call('http://host/p', {
      message: { headers: { 'http.reply.old': 'from the call before' } },
      replies: { 'http://host/p': { status: 201, headers: { etag: '"1"', 'set-cookie': 'a=b' } } },
    });
    expect(exchange.headers.toObject()).toEqual({
      'http.reply.etag': '"1"',
      'http.reply.set-cookie': 'a=b',
      HelixHttpCallStatus: 201,
    });
  });

  it('a failure for 400 and above, unless told not to', async () => {
    const replies = {
      'http://host/p': { status: 404, body: '{"no":1', headers: { 'content-type': 'application/json' } },
    };
    const failed = await call('http://host/p', { replies });
    expect(failed.exchange.failure).toMatchObject({ code: 'HTTP.TARGET_FAILED', details: { status: 404 } });
    const taken = await call('http://host/p?throw-on-error=false', { replies });
    expect(taken.exchange.body).toBe('{"no":1');
    expect(taken.exchange.headers.get('HelixHttpCallStatus')).toBe(404);
  });
});

const to = (location: string, status = 302): Reply => ({ status, headers: { location } });

describe('http:// and redirects', () => {
  const secrets = { headers: { 'X-API-Key': 'k' }, bearer: 'b' };

  it('follows them on the same host with everything, and turns what was sent into a GET', async () => {
    const { exchange, asked } = await call('http://host/a', {
      message: { body: 'x' },
      parameters: secrets,
      replies: {
        'http://host/a': to('/b'),
        'http://host/b': { body: 'there', headers: { 'content-type': 'text/plain' } },
      },
    });
    expect(exchange.body).toBe('there');
    expect(asked.map(({ method, body }) => [method, body === null])).toEqual([
      ['POST', false],
      ['GET', true],
    ]);
    expect(asked[1]?.headers).toMatchObject({ 'x-api-key': 'k', authorization: 'Bearer b' });
    expect(asked[1]?.headers).not.toHaveProperty('content-type');
  });

  it('keeps method and body for 307 and 308', async () => {
    const { asked } = await call('http://host/a', {
      message: { body: 'x' },
      replies: { 'http://host/a': to('https://host/b', 308) },
    });
    expect(asked.map(({ url, method, body }) => [url.href, method, String(body)])).toEqual([
      ['http://host/a', 'POST', 'x'],
      ['https://host/b', 'POST', 'x'],
    ]);
  });

  it.each([
    'http://other/b',
    'http://host:81/b',
    'https://host:8443/b',
    '//other/b',
    'http://host.evil.example/',
    'file:///etc/passwd',
  ])('not to %s', async (location) => {
    const { exchange, asked } = await call('http://host/a', { replies: { 'http://host/a': to(location) } });
    expect(exchange.failure?.code).toBe('HTTP.TARGET_REFUSED');
    expect(asked).toHaveLength(1);
  });

  it('not from https to http', async () => {
    const { exchange } = await call('https://host/a', {
      replies: { 'https://host/a': to('http://host/a') },
    });
    expect(exchange.failure?.code).toBe('HTTP.TARGET_REFUSED');
  });

  it('to any host where allowed, but never with a credential', async () => {
    const { asked } = await call('http://host/a?redirects=any', {
      parameters: secrets,
      replies: { 'http://host/a': to('http://u:p@other/b') },
    });
    expect(asked[1]?.url.href).toBe('http://other/b');
    expect(Object.keys(asked[1]?.headers ?? {})).toEqual(['accept', 'user-agent']);
  });

  it('ends a circle', async () => {
    const { exchange, asked } = await call('http://host/a', { replies: { 'http://host/a': to('/a') } });
    expect(exchange.failure?.message).toMatch(/more than 5 times/);
    expect(asked).toHaveLength(6);
  });

  it('none: the redirect is the answer', async () => {
    const { exchange } = await call('http://host/a?redirects=none', {
      replies: { 'http://host/a': to('/b') },
    });
    expect(exchange.headers.get('HelixHttpCallStatus')).toBe(302);
    expect(exchange.headers.get('http.reply.location')).toBe('/b');
  });
});

const hanging = (): HttpCaller => ({
  call: ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
  close: () => undefined,
});

async function outcomeOf(work: void | Promise<void>): Promise<unknown> {
  try {
    await work;
    return null;
  } catch (thrown) {
    return thrown;
  }
}

describe('http:// and time', () => {
  it('gives up after its time-out, or with its caller, and leaves no timer', async () => {
    const clock = new ManualClock();
    const component = new HttpComponent('http', hanging(), clock);
    const producer = component.endpoint(EndpointUri.parse('http://host/?timeout=2s')).producer?.();
    const late = outcomeOf(producer?.(new Exchange({ id: 'x' })));
    await clock.advance(2000);
    expect(await late).toMatchObject({ code: 'ENGINE.TIMED_OUT' });
    const caller = new AbortController();
    const left = outcomeOf(producer?.(new Exchange({ id: 'y', signal: caller.signal })));
    await settled();
    caller.abort();
    expect(await left).toMatchObject({ code: 'ENGINE.CANCELLED' });
    expect(clock.pending).toBe(0);
  });

  it('closes its connections with the engine', async () => {
    const caller = new ScriptedCaller();
    await new HttpComponent('http', caller, new ManualClock()).close();
    expect(caller.closed).toBe(1);
  });
});
