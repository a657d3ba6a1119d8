import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much of an unread body is still taken off the line before it is cut. */
const lingerBytes = 4 * 1024 * 1024;
const lingerMs = 1000;

export interface Outgoing {
  readonly status: number;
  /** The answer's own: {@link send} adds the length. */
  readonly headers: Record<string, string | string[]>;
  readonly body: string | Buffer | null;
}

/** Writes the whole answer. Does nothing when the client has gone. */
export function send(request: IncomingMessage, response: ServerResponse, outgoing: Outgoing): void {
  if (response.headersSent || response.destroyed) return;
  const { status, headers, body } = outgoing;
  const isBodiless = status === 204 || status === 304;
  if (!isBodiless) headers['Content-Length'] = String(body === null ? 0 : Buffer.byteLength(body));
  response.writeHead(status, headers);
  if (request.complete) {
    response.end(isBodiless || request.method === 'HEAD' ? undefined : (body ?? undefined));
    return;
  }
  if (!isBodiless && request.method !== 'HEAD' && body !== null) response.write(body);
  else response.flushHeaders();
  linger(request, () => response.end());
}

/**
 * The answer came before the body was read. Closing now would let the kernel reset the connection and the client lose
 * the answer, so what is on its way is read and thrown away for a moment (RFC 9112, 9.6).
 */
function linger(request: IncomingMessage, end: () => void): void {
  let left = lingerBytes;
  const timer = setTimeout(done, lingerMs);
  function done(): void {
    clearTimeout(timer);
    request.off('data', onData).off('end', done).off('close', done);
    end();
  }
  function onData(chunk: Buffer): void {
    left -= chunk.length;
    if (left < 0) done();
  }
  request.on('data', onData).on('end', done).on('close', done).resume();
}
