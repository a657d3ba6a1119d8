import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { HttpAnswer } from './http-caller.js';

const textual =
  /^(text\/.*|.*\+(xml|yaml)|application\/(xml|yaml|x-yaml|x-ndjson|ndjson|csv|javascript|graphql|x-www-form-urlencoded))$/;

/**
 * The body by its content type: JSON as data, text in its charset, all else as bytes; null where there is none. Of a
 * failed call JSON that cannot be read is text, since the status is what counts.
 * @throws HelixError `HTTP.UNREADABLE_REPLY`
 */
export function readReply({ status, headers, body }: HttpAnswer): unknown {
  if (body.length === 0) return null;
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const isJson = type === 'application/json' || type.endsWith('+json');
  if (!isJson && !textual.test(type)) return Buffer.from(body);
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8);
  const text = decode(body, charset?.replace(/^"(.*)"$/, '$1') ?? 'utf-8');
  if (!isJson) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (status >= 400) return text;
    throw new HelixError('HTTP.UNREADABLE_REPLY', 'The reply says that it is JSON and is not.', { cause });
  }
}

function decode(body: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch (cause) {
    throw new HelixError('HTTP.UNREADABLE_REPLY', `The reply is no text in the charset "${charset}".`, {
      cause,
    });
  }
}
