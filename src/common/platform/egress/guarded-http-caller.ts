import { abortReason } from '../../engine/api/abort.js';
import { HelixError } from '../../engine/errors/helix-error.js';
import type { EgressGuard } from './egress-guard.js';
import { guardedFetch, type GuardedFetch } from './guarded-fetch.js';

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  /** By lower-case name; they may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Largest body of a reply, in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  /** By lower-case name; one that came several times joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Failures of which it is sure that the server never saw the request. */
const unsent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Calls over connections that are kept, to the addresses that the guard lets pass. `call` throws HelixError
 * `HTTP.TARGET_UNREACHABLE`, with `details.unsent` where it is sure that nothing was sent, `HTTP.TARGET_REFUSED` by the
 * guard, `HTTP.UNREADABLE_REPLY` where the reply is too large, and the reason of an abort.
 */
export class GuardedHttpCaller {
  readonly #http: GuardedFetch;

  constructor(guard: EgressGuard) {
    this.#http = guardedFetch({ guard });
  }

  async call({ url, method, headers, body, maxBytes, signal }: HttpRequest): Promise<HttpReply> {
    try {
      const response = await this.#http.fetch(url, {
        method,
        headers: { ...headers },
        body: body === null ? null : Buffer.from(body),
        signal,
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await readAll(response, maxBytes, url),
      };
    } catch (thrown) {
      if (signal.aborted) throw abortReason(signal);
      throw failure(thrown, url);
    }
  }

  close(): void {
    this.#http.close();
  }
}

/** Stops reading, and so the connection, where the body grows too large. */
async function readAll(response: Response, maxBytes: number, { host }: URL): Promise<Buffer> {
  const declared = Number(response.headers.get('content-length') ?? 0);
  const reader = response.body?.getReader();
  if (!reader) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    if (size > maxBytes || declared > maxBytes) {
      await reader.cancel();
      throw new HelixError(
        'HTTP.UNREADABLE_REPLY',
        `The reply of ${host} is larger than ${maxBytes} bytes (max-response-bytes).`,
      );
    }
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    chunks.push(value as Uint8Array);
    size += (value as Uint8Array).length;
  }
}

function failure(thrown: unknown, { host }: URL): HelixError {
  if (thrown instanceof HelixError) {
    if (thrown.code !== 'MCP.EGRESS_REFUSED') return thrown;
    return new HelixError('HTTP.TARGET_REFUSED', thrown.message, { cause: thrown, details: thrown.details });
  }
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new HelixError('HTTP.TARGET_UNREACHABLE', `No reply from ${host}: ${message}`, {
    cause: thrown,
    details: {
      host,
      ...(code === '' ? {} : { reason: code }),
      ...(unsent.has(code) ? { unsent: true } : {}),
    },
  });
}
