import { Fault, formatFault } from '../../errors/fault.js';
import { checkTextLength, step } from '../../runtime/machine.js';
import { bare } from '../../values/objects.js';
import { Range } from '../../values/range.js';
import type { Value } from '../../values/value.js';
import { sourceText, type Format, type FormatOptions } from '../format.js';
import { decoding, encoded, ENCODING } from '../format-text.js';
import { json } from '../json/json.js';
import { readJson } from '../json/read-json.js';
import { writeJson } from '../json/write-json.js';

/** One JSON value a line, an array to the script. */
export const ndjson: Format = {
  mime: 'application/x-ndjson',
  ids: ['ndjson', 'application/ndjson', 'application/jsonl', 'jsonl'],
  options: [
    {
      name: 'ignoreEmptyLine',
      type: 'boolean',
      default: true,
      for: 'reader',
      sentence: 'Lines without anything are no values.',
    },
    {
      name: 'skipInvalid',
      type: 'boolean',
      default: false,
      for: 'reader',
      sentence: 'Lines that are no JSON are left out instead of refused.',
    },
    ...json.options.filter(({ name }) => name === 'skipNullOn' || name === 'writeAttributes'),
    ENCODING,
  ],
  read: (source, options) => read(sourceText(source, decoding(options)), options),
  write: (value, options) => encoded(write(value, options), options),
};

function read(text: string, { ignoreEmptyLine, skipInvalid }: FormatOptions): Value {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  const values: Value[] = [];
  for (const [i, line] of lines.entries()) {
    step();
    if (ignoreEmptyLine !== false && line.trim() === '') continue;
    try {
      values.push(readJson(line));
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== 'format') throw error;
      if (skipInvalid !== true)
        throw formatFault(
          `Line ${i + 1} of the text: ${error.message}`,
          'skipInvalid=true leaves such lines out',
        );
    }
  }
  return values;
}

function write(given: Value, options: FormatOptions): string {
  const value = bare(given);
  const items = value instanceof Range ? value.items() : Array.isArray(value) ? value : [given];
  const compact: FormatOptions = { ...options, indent: false };
  const lines: string[] = [];
  let length = 0;
  for (const item of items) {
    const line = writeJson(item, compact);
    checkTextLength((length += line.length + 1));
    lines.push(line);
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
