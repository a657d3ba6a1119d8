import { isUtf8 } from 'node:buffer';

/** Deep enough for any honest arguments, and far from where parsers and serialisers run out of stack. */
export const deepestNesting = 128;

/** A body that is no JSON we accept; the message is for the client. */
export class JsonRefusal extends Error {
  override readonly name = 'JsonRefusal';
}

/**
 * Parses bytes as JSON. The nesting is measured before, on the bytes, since a parser pays for every level.
 * @throws JsonRefusal
 */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new JsonRefusal('The message is not UTF-8.');
  if (isTooDeep(bytes))
    throw new JsonRefusal(`The message is nested more than ${deepestNesting} levels deep.`);
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    throw new JsonRefusal('The message is not valid JSON.');
  }
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
