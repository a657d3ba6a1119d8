import {
  Agent as HttpAgent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { whenAborted } from '../../engine/api/abort.js';
import { HelixError } from '../../engine/errors/helix-error.js';
import type { EgressGuard } from './egress-guard.js';

export interface GuardedFetchInit {
  /** Null for targets that need no judging. */
  readonly guard: EgressGuard | null;
  /** Largest body of a reply, or line of a stream of events, in bytes; more cuts it. */
  readonly maxBytes?: number;
}

/** A fetch with its own connections; `close` ends them. */
export interface GuardedFetch {
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  close(): void;
}

const idleMs = 30_000;

/**
 * `fetch` on node:http that connects only where the guard lets it: the host is resolved once, judged, and that very
 * address is connected to while Host and TLS name stay the host's. Redirects are never followed, they are returned.
 */
export function guardedFetch({ guard, maxBytes = Infinity }: GuardedFetchInit): GuardedFetch {
  const agents = {
    http: new HttpAgent({ keepAlive: true, timeout: idleMs }),
    https: new HttpsAgent({ keepAlive: true, timeout: idleMs }),
  };
  return {
    async fetch(input, init = {}) {
      const url = new URL(input);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw new HelixError('MCP.EGRESS_REFUSED', `Only http and https are called, not ${url.protocol}`);
      }
      const signal = init.signal ?? null;
      signal?.throwIfAborted();
      const pinned = guard ? await pinnedTo(guard, url) : {};
      signal?.throwIfAborted();
      const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const agent = url.protocol === 'https:' ? agents.https : agents.http;
      const headers = Object.fromEntries(new Headers(init.headers));
      const body = bodyOf(init.body);
      const options: RequestOptions = {
        method: init.method ?? 'GET',
        agent,
        headers: body === null ? headers : { ...headers, 'content-length': String(body.length) },
        ...pinned,
      };
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = request(url, options, resolve);
        if (signal) bind(outgoing, signal);
        outgoing.once('error', (error) => reject(signal?.aborted ? (signal.reason as Error) : error));
        outgoing.end(body ?? undefined);
      });
      return toResponse(response, maxBytes);
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Cheap for many requests on one signal, where node:http would add a listener for each. */
function bind(outgoing: ClientRequest, signal: AbortSignal): void {
  const forget = whenAborted(signal, () => outgoing.destroy(signal.reason as Error));
  outgoing.once('close', forget);
}

/** The connection goes to the judged address and no other, whatever the name resolves to by then. */
async function pinnedTo(guard: EgressGuard, url: URL): Promise<Pick<RequestOptions, 'lookup'>> {
  const addresses = await guard.addressesOf(url.hostname);
  return {
    lookup: (_host, options, callback) => {
      const [first] = addresses;
      if (options.all) callback(null, [...addresses]);
      else callback(null, first?.address ?? '', first?.family);
    },
  };
}

function bodyOf(body: RequestInit['body']): Buffer | null {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body);
  if (body instanceof URLSearchParams) return Buffer.from(body.toString());
  throw new TypeError('Only text and bytes are sent.');
}

const bodiless = new Set([101, 103, 204, 205, 304]);

function toResponse(incoming: IncomingMessage, maxBytes: number): Response {
  const headers = new Headers();
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '');
  }
  const status = incoming.statusCode ?? 500;
  const init = { status, statusText: incoming.statusMessage ?? '', headers };
  if (bodiless.has(status)) {
    incoming.resume();
    return new Response(null, init);
  }
  return new Response(Readable.toWeb(capped(incoming, maxBytes)) as ReadableStream, init);
}

/** A body by its whole size; a stream of events, which may be endless, by the size of a line. */
function capped(incoming: IncomingMessage, maxBytes: number): Readable {
  if (maxBytes === Infinity) return incoming;
  const byLine = incoming.headers['content-type']?.startsWith('text/event-stream') ?? false;
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    const lineEnd = byLine ? chunk.lastIndexOf(0x0a) : -1;
    size = lineEnd < 0 ? size + chunk.length : chunk.length - lineEnd - 1;
    if (size > maxBytes) incoming.destroy(new Error(`The reply is larger than ${maxBytes} bytes.`));
  });
  incoming.pause();
  return incoming;
}
