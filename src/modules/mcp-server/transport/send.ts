import type { ServerResponse } from 'node:http';
import type { HelixError } from '../../../common/engine/errors/helix-error.js';
import { failure, type RequestId } from '../protocol/json-rpc.js';

/** Sends JSON; what cannot be written as JSON becomes an internal error rather than a crash. */
export function sendJson(
  response: ServerResponse,
  status: number,
  payload: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = asJson(payload);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}

function asJson(payload: object): string {
  try {
    return JSON.stringify(payload);
  } catch {
    const id = (payload as { id?: RequestId }).id ?? null;
    return JSON.stringify(failure(id, -32603, 'The answer cannot be written as JSON.'));
  }
}

/** Refuses a request before or without a JSON-RPC id. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, failure(null, code, message), headers);
}

/** Refuses a request whose body is left unread, so that the connection cannot be used again. */
export function refuseUnread(response: ServerResponse, error: HelixError): void {
  const { details, meaning } = error;
  const retryAfter = details['retryAfterSeconds'];
  const challenge = details['challenge'];
  refuse(response, meaning.http, meaning.jsonRpc, error.publicMessage, {
    ...(typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : {}),
    ...(typeof challenge === 'string' ? { 'www-authenticate': challenge } : {}),
    connection: 'close',
  });
}
