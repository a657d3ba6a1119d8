import { sourceText, type Format } from '../format.js';
import { readDw } from './read-dw.js';
import { writeDw } from './write-dw.js';

/** A value spelled in the language itself: nothing of it is lost. */
export const dw: Format = {
  mime: 'application/dw',
  ids: ['dw', 'weave', 'application/starlang', 'starlang'],
  options: [
    { name: 'indent', type: 'string', default: '  ', for: 'writer', sentence: 'The blanks of one level.' },
    {
      name: 'maxCollectionSize',
      type: 'number',
      default: -1,
      for: 'writer',
      sentence: 'Items and pairs that are shown of each collection; -1 for all.',
    },
    {
      name: 'ignoreSchema',
      type: 'boolean',
      default: false,
      for: 'writer',
      sentence: 'Metadata ("as Type {…}") is left out.',
    },
    {
      name: 'onlyData',
      type: 'boolean',
      default: true,
      for: 'reader',
      sentence: 'Always so: nothing is computed.',
    },
  ],
  read: (source) => readDw(sourceText(source)),
  write: (value, options) => writeDw(value, options),
};
