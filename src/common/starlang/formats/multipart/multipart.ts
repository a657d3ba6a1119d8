import { sourceBytes, type Format } from '../format.js';
import { readMultipart, type ReadPart } from './read-multipart.js';
import { writeMultipart, type WritePart } from './write-multipart.js';

/** MIME messages of several parts (RFC 2046, RFC 7578); parts are read and written in their own formats. */
export const multipart = (readPart: ReadPart, writePart: WritePart): Format => ({
  mime: 'multipart/form-data',
  ids: ['multipart', 'multipart/mixed', 'multipart/related', 'multipart/alternative'],
  options: [
    {
      name: 'boundary',
      isParameter: true,
      type: 'string',
      for: 'both',
      sentence: 'What separates parts; read from the first line and made up by the writer when left out.',
    },
  ],
  read: (source, { boundary }) =>
    readMultipart(sourceBytes(source), boundary === undefined ? undefined : String(boundary), readPart),
  write: (value, { boundary }) =>
    writeMultipart(value, boundary === undefined ? undefined : String(boundary), writePart),
});
