import { sourceText, type Format } from '../format.js';
import { decoding, encoded, ENCODING } from '../format-text.js';
import { readYaml } from './read-yaml.js';
import { writeYaml } from './write-yaml.js';

/** YAML 1.2, one document. */
export const yaml: Format = {
  mime: 'application/yaml',
  ids: ['yaml', 'yml', 'text/yaml', 'application/x-yaml', 'text/x-yaml'],
  options: [
    {
      name: 'maxEntityCount',
      type: 'number',
      default: 100,
      for: 'reader',
      sentence: 'Most aliases that are expanded, those inside of anchors counted each time.',
    },
    {
      name: 'skipNullOn',
      type: 'string',
      values: ['arrays', 'objects', 'everywhere', 'none'],
      for: 'writer',
      sentence: 'Where nulls are left out.',
    },
    {
      name: 'writeDeclaration',
      type: 'boolean',
      default: true,
      for: 'writer',
      sentence: 'The lines "%YAML 1.2" and "---" before the value.',
    },
    ENCODING,
  ],
  read: (source, options) => readYaml(sourceText(source, decoding(options)), Number(options.maxEntityCount)),
  write: (value, options) => encoded(writeYaml(value, options), options),
};
