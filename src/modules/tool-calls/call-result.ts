import { HelixError } from '../../common/engine/errors/helix-error.js';
import { cutToBytes } from '../../common/engine/model/cut-text.js';
import { jsonText } from '../../common/engine/model/json-text.js';

export interface StoredResult {
  /** JSON text. */
  readonly json: string;
  readonly truncated: boolean;
}

/**
 * The result of a tool as JSON text. One above `maxBytes` becomes a JSON string that holds the beginning of its text:
 * `maxBytes` bounds what is kept, whatever the result was.
 * @throws HelixError `CALL.UNSERIALIZABLE_RESULT` for what JSON cannot say (a cycle, a BigInt)
 */
export function storeResult(result: unknown, maxBytes: number): StoredResult {
  const json = stringify(result);
  if (Buffer.byteLength(json) <= maxBytes) return { json, truncated: false };
  const text = typeof result === 'string' ? result : json;
  return { json: JSON.stringify(cutToBytes(text, maxBytes)), truncated: true };
}

function stringify(result: unknown): string {
  if (result instanceof Uint8Array) return JSON.stringify(readBytes(result));
  try {
    // A function and undefined have no JSON text at all; a tool that says nothing has the result null.
    return jsonText(result).text ?? 'null';
  } catch (cause) {
    throw new HelixError(
      'CALL.UNSERIALIZABLE_RESULT',
      'The tool ended, but its result cannot be written as JSON: it refers to itself or holds a value JSON has no form for.',
      { cause },
    );
  }
}

/** Text where the bytes are UTF-8, else base64. */
function readBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('base64');
  }
}
