import type { IncomingMessage } from 'node:http';
import { isReservedHeader } from '../../common/engine/model/message-headers.js';
import { parsePairs } from './decode-body.js';
import type { PathParams } from './path-pattern.js';

/** What a workflow learns of the request apart from its body. Starlang reads it as `attributes`. */
export interface HttpAttributes {
  readonly method: string;
  readonly requestPath: string;
  readonly queryString: string;
  /** A parameter that comes again is a list. */
  readonly queryParams: Readonly<Record<string, unknown>>;
  readonly uriParams: PathParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly remoteAddress: string | null;
}

export interface Target {
  readonly path: string;
  readonly query: string;
}

/** Path and query of a request target in origin or absolute form (RFC 9112, 3.2). */
export function targetOf(request: IncomingMessage): Target {
  const url = request.url ?? '/';
  const relative = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const question = relative.indexOf('?');
  if (question < 0) return { path: relative || '/', query: '' };
  return { path: relative.slice(0, question) || '/', query: relative.slice(question + 1) };
}

/** The parameters of a query without reserved names; null for a broken percent-encoding. */
export function queryParams(query: string): Record<string, unknown> | null {
  if (query === '') return {};
  const pairs = parsePairs(query);
  return pairs && Object.fromEntries(Object.entries(pairs).filter(([name]) => !isReservedHeader(name)));
}

/**
 * The request's headers as the workflow may see them: reserved names and names of our own kind are dropped, and so are
 * credentials that the guard asked for, since they were meant for the door and would travel on with the message.
 */
export function plainHeaders(request: IncomingMessage, guarded: boolean): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const { headers } = request;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || isReservedHeader(name) || name.startsWith('http.')) continue;
    if (guarded && (name === 'authorization' || name === 'x-api-key')) continue;
    kept[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return kept;
}

/** Headers of the exchange: the plain ones, `http.query.x` and `http.path.x`. */
export function exchangeHeaders(attributes: HttpAttributes): Readonly<Record<string, unknown>> {
  const names = Object.keys(attributes.queryParams).length + Object.keys(attributes.uriParams).length;
  if (names === 0) return attributes.headers;
  const headers: Record<string, unknown> = { ...attributes.headers };
  for (const [name, value] of Object.entries(attributes.queryParams)) headers[`http.query.${name}`] = value;
  for (const [name, value] of Object.entries(attributes.uriParams)) headers[`http.path.${name}`] = value;
  return headers;
}
