import { isRecord } from '../../common/engine/model/is-record.js';
import { jsonText } from '../../common/engine/model/json-text.js';

/** A value as JSON has it, bytes as text, so that what a test writes in YAML can be held against it. */
export function plainOf(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object') return typeof value === 'bigint' ? Number(value) : value;
  try {
    return JSON.parse(jsonText(value).text ?? 'null') as unknown;
  } catch {
    return `(${Object.prototype.toString.call(value)}, which JSON cannot hold)`;
  }
}

/** Deep equality of JSON values; the order of keys does not count. */
export function equal(expected: unknown, found: unknown): boolean {
  return matches(expected, found, (a, b) => Object.keys(a).length === Object.keys(b).length);
}

/** The named keys of maps, and lists of the same length; at the top a text is also part of a text. */
export function contains(expected: unknown, found: unknown): boolean {
  if (typeof expected === 'string' && typeof found === 'string') return found.includes(expected);
  return matches(expected, found, () => true);
}

type Record_ = Readonly<Record<string, unknown>>;

function matches(expected: unknown, found: unknown, sameKeys: (a: Record_, b: Record_) => boolean): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(found) &&
      found.length === expected.length &&
      expected.every((item, at) => matches(item, found[at], sameKeys))
    );
  }
  if (isRecord(expected)) {
    return (
      isRecord(found) &&
      sameKeys(expected, found) &&
      Object.entries(expected).every(
        ([key, item]) => Object.hasOwn(found, key) && matches(item, found[key], sameKeys),
      )
    );
  }
  return Object.is(expected, found) || (expected === 0 && found === 0);
}

/** Of what was found only the parts that the expectation names, so that a difference shows nothing else. */
export function sharedPart(expected: unknown, found: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(found))
    return found.map((item, at) => (at < expected.length ? sharedPart(expected[at], item) : item));
  if (!isRecord(expected) || !isRecord(found)) return found;
  return Object.fromEntries(
    Object.keys(expected)
      .filter((key) => Object.hasOwn(found, key))
      .map((key) => [key, sharedPart(expected[key], found[key])]),
  );
}
