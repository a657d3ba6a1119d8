/** Names and characters as XML 1.0 (fifth edition) has them. */
const START =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME = `[${START}][${START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*`;

const WHOLE_NAME = new RegExp(`^${NAME}$`, 'u');
/** Sticky: set `lastIndex` before use. */
export const NAME_HERE = new RegExp(NAME, 'uy');

export const isName = (text: string): boolean => WHOLE_NAME.test(text);

/** What may not stand in XML 1.0 at all, not even as a reference. */
export const INVALID =
  // oxlint-disable-next-line no-control-regex -- the point of it
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export const XML_URI = 'http://www.w3.org/XML/1998/namespace';
export const XMLNS_URI = 'http://www.w3.org/2000/xmlns/';
export const XSI_URI = 'http://www.w3.org/2001/XMLSchema-instance';

/** `prefix:local`, without a prefix ''. */
export function splitName(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':');
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}
