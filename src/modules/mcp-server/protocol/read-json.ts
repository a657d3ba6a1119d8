import { isUtf8 } from 'node:buffer';
import { duplicateMember } from '../../../common/platform/http/json/json-text.js';

/** Deep enough for any honest arguments, and far from where parsers and serialisers run out of stack. */
export const deepestNesting = 128;

/** A body that is no JSON we accept; the message is for the client. */
export class JsonRefusal extends Error {
  override readonly name = 'JsonRefusal';
}

/**
 * Parses bytes as JSON. The nesting is measured before, on the bytes, since a parser pays for every level. A member that
 * stands twice is refused: who stands between may have read the other one (RFC 8259, section 4).
 * @throws JsonRefusal
 */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new JsonRefusal('The message is not UTF-8.');
  if (isTooDeep(bytes))
    throw new JsonRefusal(`The message is nested more than ${deepestNesting} levels deep.`);
  const text = bytes.toString('utf8');
  const value = parse(text);
  const twice = duplicateMember(text, deepestNesting);
  if (twice === undefined) return value;
  throw new JsonRefusal(`A member stands twice in its object: ${brief(twice)}.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new JsonRefusal('The message is not valid JSON.');
  }
}

/** The names are the sender's, of any length. */
function brief(pointer: string): string {
  return pointer.length <= 200 ? pointer : `${pointer.slice(0, 200)}…`;
}

const quote = 0x22;
const backslash = 0x5c;

function isTooDeep(bytes: Buffer): boolean {
  if (bytes.length <= deepestNesting) return false;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > deepestNesting) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

/** Index of the quote that closes the text opened at `start`, or the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    at = bytes.indexOf(quote, at + 1);
    if (at < 0) return bytes.length;
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return at;
  }
}
