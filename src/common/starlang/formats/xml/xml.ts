import { formatFault } from '../../errors/fault.js';
import { charsetNamed, charsetOf, type Charset } from '../../values/charset.js';
import { sourceText, type Format, type FormatOption, type FormatOptions } from '../format.js';
import { decoding, ENCODING } from '../format-text.js';
import { readXml } from './read-xml.js';
import { ROOT_NAMESPACES, writeXml } from './write-xml.js';

type Side = FormatOption['for'];
const flag = (name: string, fallback: boolean, side: Side, sentence: string): FormatOption => ({
  name,
  type: 'boolean',
  default: fallback,
  for: side,
  sentence,
});

/** Bytes say their encoding themselves: by a byte order mark or in the declaration. */
function encodingFrom(source: string | Uint8Array, options: FormatOptions): Charset {
  if (typeof source === 'string') return charsetOf('UTF-8');
  if ((source[0] === 0xff && source[1] === 0xfe) || (source[0] === 0xfe && source[1] === 0xff))
    return charsetOf('UTF-16');
  const start = Buffer.from(source.buffer, source.byteOffset, Math.min(source.byteLength, 200)).toString(
    'latin1',
  );
  const declared = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(
    start.replace(/^\u00EF\u00BB\u00BF/, ''),
  )?.[1];
  if (declared === undefined) return decoding(options);
  const charset = charsetNamed(declared);
  if (!charset) throw formatFault(`The XML is declared in an encoding that is not known: "${declared}"`);
  return charset;
}

/** XML 1.0 with namespaces: repeated elements are duplicate keys, attributes belong to the key. */
export const xml: Format = {
  mime: 'application/xml',
  ids: ['xml', 'text/xml'],
  options: [
    {
      name: 'nullValueOn',
      type: 'string',
      values: ['blank', 'empty', 'none'],
      default: 'blank',
      for: 'reader',
      sentence: 'Which element texts are null: blank ones, empty ones only, or none.',
    },
    flag('supportDtd', false, 'reader', 'Text entities the document declares are expanded.'),
    flag('externalEntities', false, 'reader', 'Never allowed: named so that the refusal can say so.'),
    {
      name: 'maxEntityCount',
      type: 'number',
      default: 1,
      for: 'reader',
      sentence: 'Most declared entities that are expanded.',
    },
    {
      name: 'maxAttributeSize',
      type: 'number',
      default: 1_048_576,
      for: 'reader',
      sentence: 'Most characters of one attribute.',
    },
    flag('indent', true, 'writer', 'Line breaks and two blanks a level.'),
    flag('writeDeclaration', true, 'writer', 'The line <?xml …?>.'),
    flag('doubleQuoteInDeclaration', false, 'writer', 'Double instead of single quotes in the declaration.'),
    {
      name: 'skipNullOn',
      type: 'string',
      values: ['elements', 'attributes', 'everywhere', 'none'],
      for: 'writer',
      sentence: 'Where nulls are left out.',
    },
    {
      name: 'inlineCloseOn',
      type: 'string',
      values: ['empty', 'none'],
      default: 'empty',
      for: 'writer',
      sentence: 'An element without content is <a/> (empty) or <a></a> (none).',
    },
    flag('writeNilOnNull', false, 'writer', 'Null is marked with xsi:nil="true".'),
    { name: 'defaultNamespace', type: 'string', for: 'writer', sentence: 'Namespace of names without one.' },
    {
      name: 'writeDeclaredNamespaces',
      type: 'string',
      check: {
        holds: (text) => ROOT_NAMESPACES.test(text),
        wanted: 'All, ids:PREFIX,PREFIX or regex:PATTERN',
      },
      for: 'writer',
      sentence:
        'Namespaces declared at the root element: All, those with a prefix of ids:a,b or those whose prefix or URI matches regex:a.*',
    },
    flag('escapeCR', false, 'writer', 'A carriage return is written as a reference.'),
    flag('escapeGT', false, 'writer', 'A > is written as a reference.'),
    {
      name: 'onInvalidChar',
      type: 'string',
      values: ['base64', 'ignore', 'none'],
      for: 'writer',
      sentence: 'A text with a character XML does not allow: as base64, without it, or refused.',
    },
    ENCODING,
  ],
  read: (source, options) => readXml(sourceText(source, encodingFrom(source, options)), options),
  write: writeXml,
};
