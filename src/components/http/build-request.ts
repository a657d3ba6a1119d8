import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { HttpCallRequest } from './http-caller.js';
import type { HttpOptions } from './options.js';

/** What belongs to one connection (RFC 9110, 7.6.1) and what the request itself decides. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const methods = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * The address that every message goes to.
 * @throws HelixError `WORKSPACE.INVALID`, `WORKSPACE.WRONG_OPTION`
 */
export function addressOf(uri: EndpointUri, options: HttpOptions): URL {
  let url: URL;
  try {
    url = new URL(`${uri.scheme}://${uri.path}`);
  } catch {
    throw invalid(`${uri.toString()} is no address: write ${uri.scheme}://host/path.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(`Credentials do not stand in an address of ${uri.scheme}://: use "bearer" or "headers".`);
  }
  url.hash = '';
  const foreign = Object.keys(options.headers).find((name) => ofConnection.has(name.toLowerCase()));
  if (foreign !== undefined) {
    throw new HelixError(
      'WORKSPACE.WRONG_OPTION',
      `The header "${foreign}" is set by the connection itself.`,
      {
        details: { option: 'headers' },
      },
    );
  }
  append(url, options.query);
  return url;
}

/** @throws HelixError `HTTP.TARGET_REFUSED` where the message asks for what cannot be sent */
export function buildRequest(
  exchange: Exchange,
  address: URL,
  options: HttpOptions,
): Omit<HttpCallRequest, 'signal' | 'maxBytes'> {
  const url = new URL(address);
  const query = exchange.headers.get('HelixHttpQuery');
  if (typeof query === 'object' && query !== null) append(url, query as Readonly<Record<string, unknown>>);
  const method = methodOf(exchange, options);
  const body = withBody.has(method) ? encode(exchange.body, options['content-type']) : null;
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.8', 'user-agent': 'helix' };
  for (const name of options['send-headers']) {
    const value = exchange.headers.text(name);
    if (value !== undefined && !ofConnection.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  if (body !== null) headers['content-type'] = body.type;
  for (const [name, value] of Object.entries(options.headers)) headers[name.toLowerCase()] = value;
  if (options.bearer !== null) headers['authorization'] = `Bearer ${options.bearer}`;
  return { url, method, headers, body: body?.bytes ?? null };
}

function methodOf(exchange: Exchange, options: HttpOptions): string {
  const asked = exchange.headers.text('HelixHttpMethod');
  if (asked === undefined) {
    return options.method ?? (exchange.body === null || exchange.body === undefined ? 'GET' : 'POST');
  }
  const method = asked.toUpperCase();
  if (methods.test(method)) return method;
  throw new HelixError('HTTP.TARGET_REFUSED', `The header HelixHttpMethod names no method that can be sent.`);
}

function append(url: URL, query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (each === null || each === undefined) continue;
      url.searchParams.append(name, typeof each === 'string' ? each : JSON.stringify(each));
    }
  }
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly type: string;
}

function encode(body: unknown, type: string | null): Encoded {
  if (body === null || body === undefined)
    return { bytes: Buffer.alloc(0), type: type ?? 'application/json' };
  if (body instanceof Uint8Array) return { bytes: body, type: type ?? 'application/octet-stream' };
  if (typeof body === 'string')
    return { bytes: Buffer.from(body), type: type ?? 'text/plain; charset=utf-8' };
  if (/^application\/x-www-form-urlencoded/i.test(type ?? '') && typeof body === 'object') {
    const form = new URL('http://form');
    append(form, body as Readonly<Record<string, unknown>>);
    return { bytes: Buffer.from(form.searchParams.toString()), type: type ?? '' };
  }
  return { bytes: Buffer.from(JSON.stringify(body) ?? ''), type: type ?? 'application/json' };
}

function invalid(message: string): HelixError {
  return new HelixError('WORKSPACE.INVALID', message);
}
