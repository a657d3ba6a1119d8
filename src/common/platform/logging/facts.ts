import { Secret } from './secret.js';
import { describeError } from './describe-error.js';

const mask = '[secret]';

/** Names whose values are never written, in any spelling of case, `-` and `_`. */
const hidden = new Set([
  'authorization',
  'proxyauthorization',
  'xapikey',
  'apikey',
  'cookie',
  'setcookie',
  'xtregtoken',
  'token',
  'accesstoken',
  'refreshtoken',
  'password',
  'secret',
  'clientsecret',
  'privatekey',
]);

/** Members that carry what users sent or got; a log tells that there was one, never what it said. */
const bodies = new Set(['body', 'headers', 'input', 'result', 'parameters', 'rawbody']);

const deepest = 4;
const longestText = 4_096;
const longestList = 50;

/**
 * Makes facts fit for a log line: errors by their allowed members, secrets and hidden names masked, bodies left out,
 * texts and lists cut, depth bounded, cycles and odd values told by kind.
 */
export function presentFacts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return present(facts, 0) as Record<string, unknown>;
}

function present(value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string')
    return value.length > longestText
      ? `${value.slice(0, longestText)}… (${value.length} characters)`
      : value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return value === undefined ? undefined : `[${typeof value}]`;
  if (value instanceof Secret) return mask;
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= deepest) return '[deeper]';
  if (Array.isArray(value))
    return value.slice(0, longestList).map((item: unknown) => present(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, presentMember(name, member, depth + 1)]),
  );
}

function presentMember(name: string, value: unknown, depth: number): unknown {
  const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
  if (hidden.has(plain)) return value === undefined || value === null ? value : mask;
  if (bodies.has(plain) && value !== null && value !== undefined) return '[left out]';
  return present(value, depth);
}
