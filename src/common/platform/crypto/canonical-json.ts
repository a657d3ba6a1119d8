/**
 * JSON Canonicalization Scheme (RFC 8785): one text for equal values, whatever the order of members, white space or
 * spelling of numbers. ECMAScript's own serialisation of strings and numbers is the one the RFC prescribes; members are
 * sorted by UTF-16 code units, which is how JavaScript compares strings.
 * @throws TypeError for what JSON cannot say (undefined, NaN, functions, bigint, lone surrogates)
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('Canonical JSON has no NaN and no infinity.');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`Canonical JSON has no ${typeof value}.`);
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${quote(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

function quote(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('Canonical JSON has no lone surrogates.');
  return JSON.stringify(text);
}
