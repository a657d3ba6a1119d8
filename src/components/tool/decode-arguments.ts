import { isPlainObject } from '../../common/engine/model/is-record.js';

/**
 * The arguments in a body (contract/tool-component, "Headers"): a map is used directly; text and bytes are JSON-decoded
 * into a map, and wrapped as `{"input": raw}` where they are none. Nothing at all means no arguments.
 */
export function decodeArguments(body: unknown): Readonly<Record<string, unknown>> {
  if (isPlainObject(body)) return body;
  if (body === null || body === undefined) return {};
  if (body instanceof Map) return Object.fromEntries(body) as Record<string, unknown>;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return { input: body };
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  if (text.trim() === '') return {};
  try {
    const decoded: unknown = JSON.parse(text);
    if (isPlainObject(decoded)) return decoded;
  } catch {
    // Text that is no JSON is a plain argument.
  }
  return { input: text };
}
