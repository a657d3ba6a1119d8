import { Fault, typeFault } from '../errors/fault.js';
import { CONTENT_TYPE, DISPOSITION } from '../formats/multipart/part-headers.js';
import { generateBoundary } from '../formats/multipart/boundary.js';
import { machine } from '../runtime/machine.js';
import { Binary } from '../values/atoms.js';
import { bare, isObject, member, ObjectBuilder, type ObjectValue } from '../values/objects.js';
import { requireText, textOf } from '../values/text.js';
import { simpleType } from '../values/type-value.js';
import type { Numeric } from '../numbers/decimal.js';
import type { Value } from '../values/value.js';
import { whole } from './arguments.js';
import { fn, type LibraryModule } from './define.js';

interface Part {
  name: string;
  content: Value;
  mime: string | undefined;
  fileName: string | undefined;
}

function partOf({ name, content, mime, fileName }: Part): ObjectValue {
  const disposition = new ObjectBuilder().add('name', name);
  if (fileName) disposition.add('filename', fileName);
  const headers = new ObjectBuilder();
  if (mime) headers.add(CONTENT_TYPE, mime);
  headers.add(DISPOSITION, disposition.done());
  return new ObjectBuilder().add('headers', headers.done()).add('content', content).done();
}

const textIn = (options: ObjectValue, name: string) => {
  const found = bare(member(options, name) ?? null);
  return found === null ? undefined : requireText(found);
};

function needed(options: ObjectValue, name: string): string {
  const found = textIn(options, name);
  if (found === undefined) throw typeFault(`A part of a form needs "${name}"`);
  return found;
}

/** A file of the workspace: text as a text, anything else as bytes. */
function contentOf(path: string): Value {
  const read = machine.env.readResource;
  if (!read) throw new Fault('forbidden', 'file() reads files of the workspace and there is none here');
  const found = read(path);
  return found.text ?? new Binary(found.bytes ?? new Uint8Array());
}

function form(parts: Value[]): ObjectValue {
  const builder = new ObjectBuilder();
  for (const [i, given] of parts.entries()) {
    const part = bare(given);
    const headers = isObject(part) ? bare(member(part, 'headers') ?? null) : null;
    const disposition = isObject(headers) ? bare(member(headers, DISPOSITION) ?? null) : null;
    const name = isObject(disposition) ? textOf(member(disposition, 'name') ?? null) : undefined;
    builder.add(name ?? String(i), given);
  }
  return new ObjectBuilder().add('parts', builder.done()).done();
}

const FILE_MIME = 'application/octet-stream';

export const multipartModule: LibraryModule = {
  name: 'dw::module::Multipart',
  types: { Multipart: simpleType('Object'), MultipartPart: simpleType('Object') },
  functions: [
    fn(
      'field',
      'A part of a form with a value, written by its mime type.',
      [
        [
          'dw::module::Multipart::field("a", "x", "text/plain")',
          '{"headers": {"Content-Type": "text/plain", "Content-Disposition": {"name": "a"}}, "content": "x"}',
        ],
      ],
      {
        '(options: Object): Object': (options: ObjectValue) =>
          partOf({
            name: needed(options, 'name'),
            content: member(options, 'value') ?? null,
            mime: textIn(options, 'mime'),
            fileName: textIn(options, 'fileName'),
          }),
        '(name: String, value: Any, mime: String = "", fileName: String = ""): Object': (
          name: string,
          content: Value,
          mime?: string,
          fileName?: string,
        ) => partOf({ name, content, mime, fileName }),
      },
    ),
    fn(
      'file',
      'A part of a form with a file of the workspace.',
      [
        [
          'dw::module::Multipart::file("a", "order.json").headers."Content-Type"',
          '"application/octet-stream"',
        ],
      ],
      {
        '(options: Object): Object': (options: ObjectValue) =>
          partOf({
            name: needed(options, 'name'),
            content: contentOf(needed(options, 'path')),
            mime: textIn(options, 'mime') ?? FILE_MIME,
            fileName: textIn(options, 'fileName') ?? 'filename',
          }),
        '(fieldName: String, path: String, mime: String = "", sentFileName: String = ""): Object': (
          name: string,
          path: string,
          mime?: string,
          fileName?: string,
        ) =>
          partOf({
            name,
            content: contentOf(path),
            mime: mime || FILE_MIME,
            fileName: fileName || 'filename',
          }),
      },
    ),
    fn(
      'form',
      'A form of parts, each under its name.',
      [['dw::module::Multipart::form([dw::module::Multipart::field("a", 1)]).parts.a.content', '1']],
      { '(parts: Array<Object>): Object': form },
    ),
    fn(
      'generateBoundary',
      'A boundary of 70 random characters, or as many as said.',
      [['sizeOf(dw::module::Multipart::generateBoundary(20))', '20']],
      {
        '(length: Number = 70): String': (length?: Numeric) =>
          generateBoundary(length === undefined ? undefined : whole(length, 'The length of a boundary')),
      },
    ),
  ],
};
