import { typeFault } from '../errors/fault.js';
import { requireText } from '../values/text.js';
import type { PlainObject, Value } from '../values/value.js';
import { fn, nullable, type LibraryModule } from './define.js';

function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(text);
  } catch {
    throw typeFault(`"${text.slice(0, 80)}" is not encoded correctly`);
  }
}

/** The literal parts with the encoded values between them. */
function compose(parts: Value[], values: Value[]): string {
  return parts
    .map(
      (part, i) =>
        requireText(part) + (i < values.length ? encodeURIComponent(requireText(values[i] as Value)) : ''),
    )
    .join('');
}

const URI = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/;

/** The parts of an address that are there. */
function parseUri(text: string): PlainObject {
  const found = URI.exec(text);
  if (!found || /\s/.test(text)) return { isValid: false, raw: text };
  const [, scheme, authority, path, query, fragment] = found;
  const out: PlainObject = { isValid: true, raw: text };
  const put = (name: string, value: Value | undefined): void => {
    if (value !== undefined && value !== '') out[name] = value;
  };
  if (authority !== undefined) {
    const parts = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority);
    put('host', parts?.[2]);
    put('authority', authority);
    put('fragment', fragment);
    put('path', path);
    put('port', parts?.[3] === undefined ? undefined : Number(parts[3]));
    put('query', query);
    put('scheme', scheme);
    put('user', parts?.[1]);
  } else {
    put('fragment', fragment);
    put('path', path);
    put('query', query);
    put('scheme', scheme);
  }
  out.isAbsolute = scheme !== undefined;
  out.isOpaque = scheme !== undefined && authority === undefined && !path?.startsWith('/');
  return out;
}

export const url: LibraryModule = {
  name: 'dw::core::URL',
  functions: [
    fn(
      'compose',
      'An address of literal parts and values, the values encoded: compose `http://a/$(x)`.',
      [['compose(["http://a/", ""], ["b c"])', '"http://a/b%20c"']],
      { '(parts: Array<String>, interpolation: Array<String>): String': compose },
    ),
    nullable(
      'encodeURI',
      'A whole address with its illegal characters encoded.',
      [['encodeURI("http://a/b c")', '"http://a/b%20c"']],
      { '(text: String): String': (text: string) => encodeURI(text) },
    ),
    nullable('decodeURI', 'The opposite of encodeURI.', [['decodeURI("http://a/b%20c")', '"http://a/b c"']], {
      '(text: String): String': (text: string) => decoded(text, decodeURI),
    }),
    nullable(
      'encodeURIComponent',
      'A text encoded as one part of an address.',
      [['encodeURIComponent("a/b")', '"a%2Fb"']],
      { '(text: String): String': (text: string) => encodeURIComponent(text) },
    ),
    nullable(
      'decodeURIComponent',
      'The opposite of encodeURIComponent.',
      [['decodeURIComponent("a%2Fb")', '"a/b"']],
      { '(text: String): String': (text: string) => decoded(text, decodeURIComponent) },
    ),
    fn('parseURI', 'The parts of an address.', [['parseURI("http://h:80/p?q=1").port', '80']], {
      '(uri: String): Object': parseUri,
    }),
  ],
};
