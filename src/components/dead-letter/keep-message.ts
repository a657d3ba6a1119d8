import { cutToBytes } from '../../common/engine/model/cut-text.js';
import { isSecretName } from '../../common/engine/model/endpoint-uri.js';
import { jsonText } from '../../common/engine/model/json-text.js';
import { isReservedHeader } from '../../common/engine/model/message-headers.js';

/** What stands in place of a value that may be secret. */
export const MASK = '[secret]';

/** A body as bytes: of JSON, of text, or as it was. */
export interface KeptBody {
  readonly kind: 'json' | 'text' | 'bytes';
  readonly bytes: Buffer;
  /** How long it was before it was cut. */
  readonly size: number;
  /** Why it is not the whole body; null where it is. */
  readonly note: string | null;
}

export function keepBody(body: unknown, mostBytes: number): KeptBody {
  if (body instanceof Uint8Array) {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return { kind: 'bytes', ...cut(bytes, mostBytes, (most) => bytes.subarray(0, most)) };
  }
  if (typeof body === 'string') return keepText('text', body, mostBytes);
  try {
    const { text, hasBytes } = jsonText(body ?? null);
    if (text === undefined) throw new TypeError('no form');
    const kept = keepText('json', text, mostBytes);
    return hasBytes && kept.note === null
      ? { ...kept, note: 'The bytes in it are written as base64.' }
      : kept;
  } catch {
    const note = 'The body has no form in JSON: it refers to itself or holds a value of another kind.';
    return { kind: 'json', bytes: Buffer.alloc(0), size: 0, note };
  }
}

/** Headers and attributes that can be stored: what is the engine's own is left out, what may be secret is masked. */
export function keepHeaders(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = new Map<string, unknown>();
  for (const [name, value] of Object.entries(headers)) {
    if (isReservedHeader(name)) continue;
    kept.set(name, isSensitive(name) ? MASK : plainOf(value));
  }
  return Object.fromEntries(kept);
}

/** `headers` of an HTTP request is a map of headers, not a header that holds secrets. */
function isSensitive(name: string): boolean {
  return (
    !/^headers$/i.test(name) && (isSecretName(name) || /cookie|session|signature|credential/i.test(name))
  );
}

function plainOf(value: unknown): unknown {
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  ) {
    if (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
      return keepHeaders(value as Record<string, unknown>);
  }
  try {
    const { text } = jsonText(value);
    return text === undefined ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

function keepText(kind: 'json' | 'text', text: string, mostBytes: number): KeptBody {
  const bytes = Buffer.from(text);
  return { kind, ...cut(bytes, mostBytes, (most) => Buffer.from(cutToBytes(text, most))) };
}

function cut(bytes: Buffer, mostBytes: number, shorten: (most: number) => Buffer): Omit<KeptBody, 'kind'> {
  if (bytes.length <= mostBytes) return { bytes, size: bytes.length, note: null };
  const note = `The body had ${bytes.length} bytes; the first ${mostBytes} are kept (max-body-bytes).`;
  return { bytes: shorten(mostBytes), size: bytes.length, note };
}
