import { sourceText, type Format } from '../format.js';
import { decoding, encoded, ENCODING } from '../format-text.js';
import { readJson } from './read-json.js';
import { writeJson } from './write-json.js';

export const json: Format = {
  mime: 'application/json',
  ids: ['json', 'text/json'],
  options: [
    {
      name: 'indent',
      type: 'boolean',
      default: true,
      for: 'writer',
      sentence: 'Line breaks and two blanks a level.',
    },
    {
      name: 'skipNullOn',
      type: 'string',
      values: ['arrays', 'objects', 'everywhere', 'elements', 'attributes', 'none'],
      for: 'writer',
      sentence: 'Where nulls are left out.',
    },
    {
      name: 'duplicateKeyAsArray',
      type: 'boolean',
      default: false,
      for: 'writer',
      sentence: 'Values of one key become an array.',
    },
    {
      name: 'writeAttributes',
      type: 'boolean',
      default: false,
      for: 'writer',
      sentence: 'Attributes become members "@name".',
    },
    ENCODING,
  ],
  read: (source, options) => readJson(sourceText(source, decoding(options))),
  write: (value, options) => encoded(writeJson(value, options), options),
};
