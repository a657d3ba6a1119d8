import { formatFault } from '../../errors/fault.js';
import { kindOf } from '../../values/kind.js';
import { bare } from '../../values/objects.js';
import { preview } from '../../values/text.js';
import { sourceText, type Format } from '../format.js';
import { decoding, encoded, ENCODING, scalarText } from '../format-text.js';

/** A text as it is; single values of other types are written as their text. */
export const text: Format = {
  mime: 'text/plain',
  ids: ['text', 'plain'],
  options: [ENCODING],
  read: (source, options) => sourceText(source, decoding(options)),
  write: (value, options) => {
    const found = bare(value) === null ? '' : scalarText(value);
    if (found === undefined)
      throw formatFault(
        `Plain text takes a String, not ${kindOf(value)} (${preview(value)})`,
        'turn it into a text first, such as with joinBy or write(value, "application/json")',
      );
    return encoded(found, options);
  },
};
