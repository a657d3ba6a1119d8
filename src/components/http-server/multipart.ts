import { HelixError } from '../../common/engine/errors/helix-error.js';
import { parseMediaType } from './media-type.js';

/** A file of a form. */
export interface FormFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

const maxParts = 1000;
const maxHeaderBytes = 16_384;
const lineBreak = Buffer.from('\r\n');

/**
 * `multipart/form-data` (RFC 7578) of a body that is already bounded in size: text fields become strings, files become
 * {@link FormFile}; a name that comes again makes a list.
 * @throws HelixError `HTTP.BAD_REQUEST` for anything that is not exactly that form
 */
export function parseMultipart(
  body: Buffer,
  boundary: string | undefined,
  decodeText: (bytes: Buffer, charset?: string) => string,
): Record<string, unknown> {
  if (boundary === undefined || !/^[\x20-\x7e]{1,70}$/.test(boundary)) {
    throw broken('the Content-Type names no boundary');
  }
  const form = new Map<string, unknown[]>();
  for (const part of partsOf(body, boundary)) {
    const { name, value } = readPart(part, decodeText);
    const values = form.get(name);
    if (values) values.push(value);
    else form.set(name, [value]);
  }
  return Object.fromEntries(
    [...form].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** Each part between two delimiters, their line breaks left out. What stands before the first is preamble. */
function partsOf(body: Buffer, boundary: string): Buffer[] {
  const parts: Buffer[] = [];
  // Only at the very start does a delimiter lack the line break that otherwise is part of it.
  const text = Buffer.concat([lineBreak, body]);
  let delimiter = nextDelimiter(text, boundary, 0);
  if (!delimiter) throw broken('the boundary does not occur');
  while (!delimiter.isLast) {
    const next = nextDelimiter(text, boundary, delimiter.end - lineBreak.length);
    if (!next) throw broken('the last part does not end');
    if (parts.length === maxParts) throw broken(`there are more than ${maxParts} parts`);
    parts.push(text.subarray(delimiter.end, Math.max(next.start, delimiter.end)));
    delimiter = next;
  }
  return parts;
}

interface Delimiter {
  readonly start: number;
  /** Behind the line break that ends the delimiter's own line. */
  readonly end: number;
  readonly isLast: boolean;
}

/** The next line that is the boundary and nothing else but padding: `--boundaryX` is content (RFC 2046, 5.1.1). */
function nextDelimiter(text: Buffer, boundary: string, from: number): Delimiter | null {
  const mark = Buffer.from(`\r\n--${boundary}`, 'latin1');
  for (let start = text.indexOf(mark, from); start !== -1; start = text.indexOf(mark, start + 1)) {
    const after = start + mark.length;
    if (text[after] === 0x2d && text[after + 1] === 0x2d) return { start, end: after + 2, isLast: true };
    let end = after;
    while (text[end] === 0x20 || text[end] === 0x09) end++;
    if (text[end] === 0x0d && text[end + 1] === 0x0a) return { start, end: end + 2, isLast: false };
  }
  return null;
}

function readPart(
  part: Buffer,
  decodeText: (bytes: Buffer, charset?: string) => string,
): { name: string; value: string | FormFile } {
  const empty = part.subarray(0, 2).toString('latin1') === '\r\n';
  const headEnd = empty ? 0 : part.indexOf('\r\n\r\n');
  if (headEnd === -1 || headEnd > maxHeaderBytes) throw broken('a part has no end of its headers');
  const headers = new Map<string, string>();
  for (const line of decodeText(part.subarray(0, headEnd)).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const content = part.subarray(headEnd + (empty ? 2 : 4));
  const disposition = headers.get('content-disposition') ?? '';
  const name = attribute(disposition, 'name');
  if (!/^form-data\s*(;|$)/i.test(disposition) || name === undefined) throw broken('a part has no name');
  const filename = attribute(disposition, 'filename');
  const contentType = headers.get('content-type');
  if (filename === undefined) {
    const charset =
      contentType === undefined ? undefined : parseMediaType(contentType)?.parameters.get('charset');
    return { name, value: decodeText(content, charset) };
  }
  return {
    name,
    value: {
      filename,
      contentType: contentType ?? 'application/octet-stream',
      content: Buffer.from(content),
    },
  };
}

/** Browsers write `"` inside a name as `%22` (HTML, "multipart/form-data encoding"); others as `\"`. */
function attribute(disposition: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(disposition);
  const value = found?.[1]?.replace(/\\(["\\])/g, '$1') ?? found?.[2];
  return value?.replace(/%22/g, '"').replace(/%0d%0a/gi, '\r\n');
}

function broken(reason: string): HelixError {
  return new HelixError('HTTP.BAD_REQUEST', `The multipart body cannot be read: ${reason}.`);
}
