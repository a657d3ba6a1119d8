import { isPlainObject } from '../../common/engine/model/is-record.js';
import type { McpAnswer } from './mcp-caller.js';

/** The body as arguments of a tool (contract/mcp-component, "Body shaping"). */
export function toArguments(body: unknown): Readonly<Record<string, unknown>> {
  if (body === null || body === undefined) return {};
  if (typeof body === 'string') return fromText(body);
  if (body instanceof Uint8Array) return fromText(Buffer.from(body).toString('utf8'));
  if (body instanceof Map) return Object.fromEntries(body) as Record<string, unknown>;
  if (isPlainObject(body)) return body;
  // Numbers and truth values read the same as JSON; of a list it is the form a tool can take apart.
  return { input: JSON.stringify(body) ?? '' };
}

/** The answer as a body: its text, else its structured content as JSON, else `''`. */
export function toBody({ text, structured, isError }: McpAnswer): string {
  if (text !== null && text !== '') return text;
  if (structured !== undefined && structured !== null) return JSON.stringify(structured);
  return isError ? 'mcp tool returned error with no message' : '';
}

function fromText(text: string): Readonly<Record<string, unknown>> {
  try {
    const decoded: unknown = JSON.parse(text);
    if (decoded === null) return {};
    if (isPlainObject(decoded)) return decoded;
  } catch {
    // No JSON: the tool gets the text as it is.
  }
  return { input: text };
}
