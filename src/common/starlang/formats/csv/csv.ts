import { sourceText, type Format, type FormatOption } from '../format.js';
import { decoding, ENCODING } from '../format-text.js';
import { readCsv } from './read-csv.js';
import { writeCsv } from './write-csv.js';

type Side = FormatOption['for'];
const text = (name: string, fallback: string, side: Side, sentence: string): FormatOption => ({
  name,
  type: 'string',
  default: fallback,
  isParameter: side === 'both',
  for: side,
  sentence,
});
const flag = (name: string, fallback: boolean, side: Side, sentence: string): FormatOption => ({
  name,
  type: 'boolean',
  default: fallback,
  isParameter: side === 'both',
  for: side,
  sentence,
});
const line = (name: string, sentence: string): FormatOption => ({
  name,
  type: 'number',
  default: 0,
  isParameter: true,
  for: 'both',
  sentence,
});

/** Comma separated values (RFC 4180 and the peer's dialect with escapes). */
export const csv: Format = {
  mime: 'application/csv',
  ids: ['csv', 'text/csv'],
  options: [
    { ...text('separator', ',', 'both', 'What stands between two cells.'), isNeeded: true },
    text('quote', '"', 'both', 'What a cell is put in when it holds a separator, quote or line break.'),
    text('escape', '\\', 'both', 'What stands before a quote inside of quotes.'),
    flag('header', true, 'both', 'The first line names the columns.'),
    line('headerLineNumber', 'Line of the header, counted from 0.'),
    line('bodyStartLineNumber', 'Line of the first row, counted from 0; the one after the header at least.'),
    flag('ignoreEmptyLine', true, 'both', 'Lines without anything are no rows.'),
    flag('quoteHeader', false, 'writer', 'Every name of the header in quotes.'),
    flag('quoteValues', false, 'writer', 'Every cell that is not null in quotes.'),
    text('lineSeparator', '\n', 'writer', 'What ends a line.'),
    ENCODING,
  ],
  read: (source, options) => readCsv(sourceText(source, decoding(options)), options),
  write: writeCsv,
};
