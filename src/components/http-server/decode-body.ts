import { HelixError } from '../../common/engine/errors/helix-error.js';
import { remembering } from '../../common/engine/model/remember.js';
import { duplicateMember } from './duplicate-member.js';
import { isJson, isText, type MediaType } from './media-type.js';
import { parseMultipart } from './multipart.js';

/** JSON nested deeper than this is refused unparsed: nobody means it, and it costs whoever walks it. */
const maxDepth = 500;

/**
 * The body as a value: JSON, forms and multipart as data, text as a string, all else as the bytes that came. An empty
 * body is null.
 * @throws HelixError `HTTP.BAD_REQUEST` when the bytes are not what the content type says,
 * `HTTP.UNSUPPORTED_MEDIA_TYPE` for an unknown charset
 */
export function decodeBody(bytes: Buffer, media: MediaType | null): unknown {
  if (bytes.length === 0) return null;
  if (!media) return bytes;
  const { type, parameters } = media;
  if (isJson(type)) return parseJson(decodeText(bytes, parameters.get('charset')));
  if (type === 'application/x-www-form-urlencoded') {
    return parseForm(decodeText(bytes, parameters.get('charset')));
  }
  if (type === 'multipart/form-data') return parseMultipart(bytes, parameters.get('boundary'), decodeText);
  return isText(type) ? decodeText(bytes, parameters.get('charset')) : bytes;
}

/** It keeps nothing from one text to the next. */
const decoderOf = remembering((charset) => new TextDecoder(charset, { fatal: true }), 50);

/** Strict: bytes that are no text in the charset are an error, never replaced. */
export function decodeText(bytes: Buffer, charset = 'utf-8'): string {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = decoderOf(charset);
  } catch (cause) {
    throw new HelixError('HTTP.UNSUPPORTED_MEDIA_TYPE', `The charset "${charset}" is unknown: send UTF-8.`, {
      cause,
    });
  }
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new HelixError(
      'HTTP.BAD_REQUEST',
      `The body is not valid ${decoder.encoding.toUpperCase()} text.`,
      {
        cause,
      },
    );
  }
}

function parseJson(text: string): unknown {
  if (text.length > maxDepth && isTooDeep(text)) {
    throw new HelixError('HTTP.BAD_REQUEST', `The JSON is nested deeper than ${maxDepth} levels.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (text.trim() === '') return null;
    const reason = cause instanceof Error ? cause.message.replace(/, ".*|\(.*/s, '').trim() : '';
    throw new HelixError('HTTP.BAD_REQUEST', `The body is not valid JSON: ${reason}.`, { cause });
  }
  const twice = duplicateMember(text, value);
  if (twice === null) return value;
  throw new HelixError('HTTP.BAD_REQUEST', `A member stands twice in its object: ${twice.slice(0, 200)}.`);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** Names and values of a form or a query; a name that comes again makes a list. Null for a broken percent-encoding. */
export function parsePairs(text: string): Record<string, string | string[]> | null {
  const found = new Map<string, string | string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodePart(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null) return null;
    append(found, name, value);
  }
  return Object.fromEntries(found);
}

export function append<T>(found: Map<string, T | T[]>, name: string, value: T): void {
  const before = found.get(name);
  if (before === undefined) found.set(name, value);
  else if (Array.isArray(before)) before.push(value);
  else found.set(name, [before, value]);
}

function parseForm(text: string): Record<string, string | string[]> {
  const form = parsePairs(text);
  if (form) return form;
  throw new HelixError('HTTP.BAD_REQUEST', 'The form holds a broken percent-encoding: write % as %25.');
}

function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
