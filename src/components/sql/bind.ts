import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { SqlValue } from './sql-caller.js';

/**
 * The values of a message by name: a path into the body, `payload` for all of it, `header.x` for a header. What is not
 * there is an error, so that a misspelt name never reads as NULL; NULL is what is there and null.
 * @throws HelixError `SQL.MISSING_VALUE`
 */
export function bind(names: readonly string[], exchange: Exchange): readonly SqlValue[] {
  return names.map((name) => {
    const value = find(name, exchange);
    if (value !== undefined) return toSql(value);
    throw new HelixError(
      'SQL.MISSING_VALUE',
      name.startsWith('header.')
        ? `The statement needs :${name}, and the message has no such header.`
        : `The statement needs :${name}, and the body has no such value: set it, to null where there is none.`,
      { details: { name } },
    );
  });
}

function find(name: string, { body, headers }: Exchange): unknown {
  if (name === 'payload') return body ?? null;
  if (name.startsWith('header.')) return headers.get(name.slice(7));
  let value = plainOf(body);
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = plainOf((value as Readonly<Record<string, unknown>>)[key]);
  }
  return value;
}

/** Text, numbers and truth as they are; lists of these as arrays; all other data as JSON. */
function toSql(given: unknown): SqlValue {
  const value = plainOf(given);
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value) && isFlat(value)) return value.map(toSql);
  const json = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return json ?? null;
}

function isFlat(list: readonly unknown[]): boolean {
  return list.every((item) => {
    const value = plainOf(item);
    return Array.isArray(value) ? isFlat(value) : typeof value !== 'object' || value === null;
  });
}

/** Values of the expression language and dates say themselves what they are as data. */
function plainOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return 'toJSON' in value && typeof value.toJSON === 'function' ? (value.toJSON() as unknown) : value;
}
