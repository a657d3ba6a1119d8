import { Fault, formatFault } from '../../errors/fault.js';
import { step } from '../../runtime/machine.js';
import { Binary } from '../../values/atoms.js';
import { ObjectBuilder, type ObjectValue } from '../../values/objects.js';
import { textOf } from '../../values/text.js';
import type { Value } from '../../values/value.js';
import { checkBoundary } from './boundary.js';
import { CONTENT_TYPE, DISPOSITION, headerOf, readDisposition } from './part-headers.js';

const MOST_PARTS = 10_000;
const MOST_HEADERS = 100;

/** Reads the content of a part by its type; undefined when the type is not known. */
export type ReadPart = (bytes: Uint8Array, mime: string) => Value | undefined;

/** Reads `{preamble, parts: {name: {headers, content}}}`; a part without name is called by its number. */
export function readMultipart(bytes: Buffer, given: string | undefined, readPart: ReadPart): Value {
  // One character a byte: offsets are the same, no content is harmed.
  const text = bytes.toString('latin1');
  const boundary = given === undefined ? firstBoundary(text) : checkBoundary(given);
  const delimiter = new RegExp(
    `(?:^|\\r\\n|\\n)--${boundary.replace(/[^\w]/g, '\\$&')}(--)?[ \\t]*(?=\\r\\n|\\n|$)`,
    'g',
  );
  const first = delimiter.exec(text);
  if (!first)
    throw formatFault(`The multipart text has no line "--${boundary}"`, 'give the boundary of the message');
  const builder = new ObjectBuilder();
  if (first.index > 0) builder.add('preamble', bytes.toString('utf8', 0, first.index));
  const parts = new ObjectBuilder();
  let closed = first[1] !== undefined;
  for (let count = 0; !closed; count++) {
    step();
    if (count >= MOST_PARTS) throw formatFault(`The multipart text has more than ${MOST_PARTS} parts`);
    const from = delimiter.lastIndex + (text[delimiter.lastIndex] === '\r' ? 2 : 1);
    const next = delimiter.exec(text);
    if (!next)
      throw formatFault(
        `The multipart text ends inside of part ${count + 1}`,
        `its last line is "--${boundary}--"`,
      );
    const { name, value } = readOne(bytes, text, from, Math.max(from, next.index), count, readPart);
    parts.add(name, value);
    closed = next[1] !== undefined;
  }
  return builder.add('parts', parts.done()).done();
}

/** Without one said, the first line is the boundary. */
function firstBoundary(text: string): string {
  const found = /^--([^\r\n]+?)[ \t]*(?:\r\n|\n)/.exec(text.trimStart())?.[1];
  if (found === undefined)
    throw formatFault('The multipart text does not begin with a boundary', 'give it: {boundary: "…"}');
  return checkBoundary(found);
}

function readOne(bytes: Buffer, text: string, from: number, to: number, index: number, readPart: ReadPart) {
  const empty = /\r?\n/y;
  empty.lastIndex = from;
  const blank = /\r\n\r\n|\n\n|\n\r\n/g;
  blank.lastIndex = from;
  let head = from;
  let body = from;
  if (empty.test(text)) body = empty.lastIndex;
  else {
    const found = blank.exec(text);
    if (!found || found.index >= to)
      throw formatFault(`Part ${index + 1} has no empty line after its headers`);
    head = found.index;
    body = blank.lastIndex;
  }
  const headers = readHeaders(bytes.toString('utf8', from, head), index);
  const disposition = headerOf(headers, DISPOSITION);
  const found = disposition === null ? null : headerOf(disposition as ObjectValue, 'name');
  const name = found === null ? String(index) : (textOf(found) ?? String(index));
  const mime = textOf(headerOf(headers, CONTENT_TYPE) ?? 'text/plain') ?? 'text/plain';
  const part = bytes.subarray(Math.min(body, to), to);
  let content: Value | undefined;
  try {
    content = readPart(part, mime);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw formatFault(`The part "${name}" (${mime}): ${error.message}`);
  }
  content ??= mime.startsWith('text/') ? part.toString('utf8') : new Binary(part);
  return { name, value: new ObjectBuilder().add('headers', headers).add('content', content).done() };
}

function readHeaders(text: string, index: number): ObjectValue {
  const builder = new ObjectBuilder();
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  if (lines.length > MOST_HEADERS)
    throw formatFault(`Part ${index + 1} has more than ${MOST_HEADERS} headers`);
  for (const line of lines) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon <= 0)
      throw formatFault(`Part ${index + 1} has a header without colon: ${JSON.stringify(line.slice(0, 80))}`);
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    builder.add(name, name.toLowerCase() === DISPOSITION.toLowerCase() ? readDisposition(value) : value);
  }
  return builder.done();
}
