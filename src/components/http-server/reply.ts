import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import { jsonText } from '../../common/engine/model/json-text.js';
import { parseMediaType } from './media-type.js';

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: string | Buffer | null;
}

/** Headers of a reply that a workflow sets by their own name; all others as `http.response.<name>`. */
const replyHeaders = new Set([
  'cache-control',
  'content-disposition',
  'content-language',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'set-cookie',
  'vary',
  'www-authenticate',
]);
/** What node:http writes itself, and what belongs to the connection rather than the message (RFC 9110, 7.6.1). */
const framing = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const responsePrefix = 'http.response.';

/**
 * The answer of an exchange that did not fail. Only headers that a reply is known to have leave by their own name, and
 * only when the workflow set them: the rest of the exchange's headers are the caller's own or meant for other targets.
 */
export function replyOf(
  exchange: Exchange,
  inbound: Readonly<Record<string, unknown>>,
  produces: string | null,
): Reply {
  const headers: Record<string, string | string[]> = {};
  let contentType: string | undefined;
  exchange.headers.forEach((value, key, name) => {
    if (value === null || value === undefined) return;
    const own = key.startsWith(responsePrefix);
    if (!own && inbound[key] === value) return;
    const target = own ? key.slice(responsePrefix.length) : key;
    if (target === 'content-type') contentType = headerText(value);
    else if (own ? !framing.has(target) : replyHeaders.has(target)) {
      const shown = own ? name.slice(responsePrefix.length) : name;
      headers[shown] = Array.isArray(value) ? value.map(headerText) : headerText(value);
    }
  });
  const { text, type } = encode(exchange.body, contentType ?? produces);
  const status = chosenStatus(exchange) ?? (text === null ? 204 : 200);
  if (type !== null) headers['Content-Type'] = type;
  return { status, headers, body: text };
}

/**
 * `HelixHttpStatus`, where the workflow set it.
 * @throws HelixError `ENGINE.INTERNAL` for anything but a final HTTP status
 */
export function chosenStatus(exchange: Exchange): number | undefined {
  const given = exchange.headers.get('HelixHttpStatus');
  if (given === undefined || given === null) return undefined;
  const status = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new HelixError('ENGINE.INTERNAL', 'HelixHttpStatus must be a whole number from 200 to 599.');
}

function encode(body: unknown, type: string | null): { text: string | Buffer | null; type: string | null } {
  if (body === null || body === undefined) return { text: null, type: null };
  if (body instanceof Uint8Array) {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return { text: bytes, type: type ?? 'application/octet-stream' };
  }
  if (typeof body !== 'string') return inCharset(toJson(body), type ?? 'application/json');
  return inCharset(body, type ?? 'text/plain; charset=utf-8');
}

/** Writing JSON throws for circles and big integers: that is a failure of the workflow like any other. */
function toJson(body: unknown): string {
  try {
    return jsonText(body).text ?? 'null';
  } catch (cause) {
    throw new HelixError('ENGINE.INTERNAL', 'The body of the reply cannot be written as JSON.', { cause });
  }
}

const encodings: Readonly<Record<string, BufferEncoding>> = {
  'iso-8859-1': 'latin1',
  latin1: 'latin1',
  'utf-16le': 'utf16le',
};

/** Text in the charset that the content type names; in UTF-8, and saying so, where it names none that we write. */
function inCharset(text: string, type: string): { text: string | Buffer; type: string } {
  const media = parseMediaType(type);
  const charset = media?.parameters.get('charset')?.toLowerCase();
  if (media === null || charset === 'utf-8' || charset === 'utf8') return { text, type };
  const encoding = charset === undefined ? undefined : encodings[charset];
  if (encoding) return { text: Buffer.from(text, encoding), type };
  if (charset === undefined)
    return { text, type: media.type.startsWith('text/') ? `${type}; charset=utf-8` : type };
  return { text, type: type.replace(/;\s*charset=("[^"]*"|[^;]*)/i, '; charset=utf-8') };
}

function headerText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
