import { formatFault } from '../../errors/fault.js';
import { checkTextLength, step } from '../../runtime/machine.js';
import { Binary } from '../../values/atoms.js';
import { kindOf } from '../../values/kind.js';
import { bare, isObject, keysOf, member, nameOf, valuesOf, type ObjectValue } from '../../values/objects.js';
import { preview, textOf } from '../../values/text.js';
import type { Value } from '../../values/value.js';
import { scalarText } from '../format-text.js';
import { checkBoundary, generateBoundary } from './boundary.js';
import { CONTENT_TYPE, DISPOSITION, headerLine, headerOf } from './part-headers.js';

/** Writes the content of a part in the format of its type. */
export type WritePart = (value: Value, mime: string) => string | Uint8Array;

/** Writes `{parts: {name: {headers, content}}}`; a text unless a part is not text. */
export function writeMultipart(
  given: Value,
  boundary: string | undefined,
  write: WritePart,
): string | Uint8Array {
  const value = bare(given);
  const parts = isObject(value) ? bare(member(value, 'parts') ?? null) : null;
  const list = Array.isArray(parts)
    ? parts.map((part, i) => [String(i), bare(part)] as const)
    : isObject(parts)
      ? keysOf(parts).map((key, i) => [nameOf(key), bare(valuesOf(parts)[i] as Value)] as const)
      : undefined;
  if (!list)
    throw formatFault(
      `Multipart needs {parts: {name: {headers, content}}}, not ${kindOf(value)} (${preview(value)})`,
      'Multipart::form([…]) of dw::module::Multipart makes one',
    );
  let total = 0;
  const chunks = list.map(([name, part]) => {
    step();
    const chunk = onePart(name, part, write);
    checkTextLength((total += chunk.body.length + chunk.head.length));
    return chunk;
  });
  const line = lineFor(chunks, boundary);
  if (chunks.every(({ body }) => typeof body === 'string'))
    return (
      chunks.map(({ head, body }) => `--${line}\r\n${head}\r\n${body as string}\r\n`).join('') +
      `--${line}--\r\n`
    );
  const bytes = chunks.flatMap(({ head, body }) => [
    Buffer.from(`--${line}\r\n${head}\r\n`),
    Buffer.from(body as Uint8Array),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...bytes, Buffer.from(`--${line}--\r\n`)]);
}

interface Chunk {
  head: string;
  body: string | Uint8Array;
}

/** A boundary no content holds: a part must not be able to end itself and start another. */
function lineFor(chunks: readonly Chunk[], given: string | undefined): string {
  const holds = (line: string) =>
    chunks.some(({ body }) => Buffer.from(body as string).includes(`--${line}`));
  if (given !== undefined) {
    if (holds(checkBoundary(given)))
      throw formatFault('The boundary stands in the content of a part', 'leave it out or give another');
    return given;
  }
  for (;;) {
    const line = `----=_Part_${generateBoundary(30)}`;
    if (!holds(line)) return line;
  }
}

function onePart(name: string, part: Value, write: WritePart): Chunk {
  if (!isObject(part))
    throw formatFault(
      `The part "${name}" must be {headers, content}, not ${kindOf(part)} (${preview(part)})`,
    );
  const headers = bare(member(part, 'headers') ?? null);
  const content = member(part, 'content') ?? null;
  if (headers !== null && !isObject(headers))
    throw formatFault(`The headers of the part "${name}" must be an object`);
  const own: ObjectValue = headers ?? {};
  const values = valuesOf(own);
  const lines = keysOf(own)
    .map((key, i) => [nameOf(key), values[i] as Value] as const)
    .filter(([, value]) => bare(value) !== null)
    .map(([header, value]) => headerLine(header, value));
  let mime = textOf(headerOf(own, CONTENT_TYPE));
  if (mime === undefined && scalarText(content) === undefined && bare(content) !== null)
    lines.push(headerLine(CONTENT_TYPE, (mime = 'application/json')));
  if (headerOf(own, DISPOSITION) === null) lines.push(headerLine(DISPOSITION, { name }));
  const head = lines.map((line) => `${line}\r\n`).join('');
  return { head, body: bodyOf(bare(content), content, mime, write) };
}

/** Text and bytes are the content already, whatever its type; other values are written in it. */
function bodyOf(
  plain: Value,
  content: Value,
  mime: string | undefined,
  write: WritePart,
): string | Uint8Array {
  if (plain === null) return '';
  if (plain instanceof Binary) return plain.bytes;
  if (typeof plain === 'string') return plain;
  return write(content, mime ?? 'text/plain');
}
