import { isIP } from 'node:net';

/** An IP address as a number, so that `10.0.0.1` and `::ffff:10.0.0.1` are one and the same. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

const mapped = 0xffffn;

/**
 * The address a text stands for, or null where it is none. A zone id is dropped, an IPv4-mapped address (RFC 4291,
 * 2.5.5.2) is the IPv4 address it carries. Octal, hexadecimal and short IPv4 forms are refused.
 */
export function parseAddress(text: string): IpAddress | null {
  const trimmed = text.trim().replace(/^\[(.*)\]$/, '$1');
  const version = isIP(trimmed);
  if (version === 0) return null;
  if (version === 4) return { family: 4, value: ipv4Value(trimmed) };
  const value = ipv6Value(trimmed.replace(/%.*$/, ''));
  return value >> 32n === mapped ? { family: 4, value: value & 0xffffffffn } : { family: 6, value };
}

/** The shortest usual form (RFC 5952), the same text for the same address. */
export function formatAddress({ family, value }: IpAddress): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  const runs = [...groups.join(':').matchAll(/\b0(?::0)+\b/g)];
  const longest = runs.reduce((best, [run]) => (run.length > best.length ? run : best), '');
  const joined = groups.join(':');
  if (longest === '') return joined;
  const at = joined.search(new RegExp(`(?<![0-9a-f])${longest}(?![0-9a-f])`));
  return `${joined.slice(0, at).replace(/:$/, '')}::${joined.slice(at + longest.length).replace(/^:/, '')}`;
}

/** `formatAddress(parseAddress(text))`; a text that is no address comes back as it is. */
export function normaliseAddress(text: string): string {
  const address = parseAddress(text);
  return address ? formatAddress(address) : text;
}

/**
 * The IPv4 address inside a transition address, where the packets end up: NAT64 (RFC 6052, 8215), 6to4 (RFC 3056),
 * Teredo (RFC 4380), IPv4-compatible (RFC 4291) and ISATAP (RFC 5214). Null for all others.
 */
export function tunnelledAddress({ family, value }: IpAddress): IpAddress | null {
  if (family === 4) return null;
  const low = value & 0xffffffffn;
  if (value >> 32n === 0x0064ff9bn << 64n) return inner(low);
  if (value >> 80n === 0x0064ff9b0001n) return inner(low);
  if (value >> 112n === 0x2002n) return inner(value >> 80n);
  if (value >> 96n === 0x20010000n) return inner(low ^ 0xffffffffn);
  if (value >> 32n === 0n && value > 1n) return inner(low);
  if (((value >> 32n) & 0xfdffffffn) === 0x00005efen) return inner(low);
  return null;
}

function ipv4Value(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function ipv6Value(text: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const plain = dotted
    ? `${dotted[1]}${hex(ipv4Value(dotted[2] ?? '') >> 16n)}:${hex(ipv4Value(dotted[2] ?? '') & 0xffffn)}`
    : text;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...(tail === undefined ? [] : zeros), ...right].reduce(
    (value, group) => (value << 16n) | BigInt(`0x${group}`),
    0n,
  );
}

const inner = (value: bigint): IpAddress => ({ family: 4, value: value & 0xffffffffn });

const hex = (value: bigint): string => value.toString(16);
