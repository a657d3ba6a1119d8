import { formatFault } from '../../errors/fault.js';
import { Binary } from '../../values/atoms.js';
import { kindOf } from '../../values/kind.js';
import { bare } from '../../values/objects.js';
import { preview } from '../../values/text.js';
import type { Format } from '../format.js';
import { scalarText } from '../format-text.js';

/** Bytes as they are; a text is written in UTF-8. */
export const binary: Format = {
  mime: 'application/octet-stream',
  ids: ['binary', 'bin'],
  options: [],
  read: (source) => new Binary(typeof source === 'string' ? Buffer.from(source, 'utf8') : source),
  write: (given) => {
    const value = bare(given);
    if (value instanceof Binary) return value.bytes;
    const text = scalarText(given);
    if (text === undefined)
      throw formatFault(
        `Bytes can be written of a Binary or String, not of ${kindOf(value)} (${preview(value)})`,
      );
    return Buffer.from(text, 'utf8');
  },
};
