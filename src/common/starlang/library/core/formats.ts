import { fn } from '../define.js';
import { formatFault, Fault } from '../../errors/fault.js';
import { formatFor, optionsFrom } from '../../formats/registry.js';
import { charge, machine, steps } from '../../runtime/machine.js';
import { Binary } from '../../values/atoms.js';
import type { ObjectValue } from '../../values/objects.js';
import type { Value } from '../../values/value.js';

/** Values take more room than the text they are read from. */
const READ = 4;

function readText(source: string | Binary, mime = 'application/json', options: ObjectValue = {}): Value {
  const format = formatFor(mime);
  const size = typeof source === 'string' ? source.length : source.bytes.length;
  charge(size * READ);
  steps(size >> 6);
  return format.read(
    typeof source === 'string' ? source : source.bytes,
    optionsFrom(format, 'reader', options, mime),
  );
}

export const formats = [
  fn(
    'read',
    'The value a text (or binary) of a format stands for.',
    [["read('{\"a\": 1}', 'application/json').a", '1']],
    {
      '(stringToParse: String | Binary, contentType: String = "", readerProperties: Object = {}): Any':
        readText,
    },
  ),
  fn('readUrl', 'The value of a file of the workspace.', [['readUrl("order.json").id', '1']], {
    '(url: String, contentType: String = "", readerProperties: Object = {}): Any': (
      url: string,
      mime?: string,
      options?: ObjectValue,
    ) => {
      const resource = machine.env.readResource;
      if (!resource)
        throw new Fault('forbidden', 'readUrl reads files of the workspace and there is none here');
      const found = resource(url);
      return readText(found.text ?? new Binary(found.bytes ?? new Uint8Array()), mime ?? found.mime, options);
    },
  }),
  fn(
    'write',
    'The text of a value in a format.',
    [["write({a: 1}, 'application/json', {indent: false})", '"{\\"a\\":1}"']],
    {
      '(value: Any, contentType: String = "", writerProperties: Object = {}): String | Binary': (
        value: Value,
        mime?: string,
        options?: ObjectValue,
      ) => {
        const format = formatFor(mime ?? 'application/json');
        const out = format.write(value, optionsFrom(format, 'writer', options ?? {}, mime));
        if (typeof out !== 'string' && !(out instanceof Uint8Array))
          throw formatFault(`The format ${format.mime} wrote nothing`);
        return typeof out === 'string' ? out : new Binary(out);
      },
    },
  ),
];
