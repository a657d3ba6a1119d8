import type { Applicant } from '../api/policy.js';
import type { AddressSet } from './address-set.js';
import { formatAddress, parseAddress } from './ip-address.js';

/**
 * The address of the client: the peer's own, unless the peer is a trusted proxy. Then `X-Forwarded-For` is walked from
 * right to left, since each hop appends on the right and only what trusted hops wrote can be believed: the first address
 * that is no trusted proxy is the client. A broken entry ends the walk at the last address that could be believed.
 */
export function clientAddress(applicant: Applicant, trusted: AddressSet): string {
  if (trusted.isEmpty || !trusted.has(applicant.peer)) return applicant.peer;
  const hops = (applicant.header('x-forwarded-for') ?? '').split(',');
  let believed = applicant.peer;
  for (const hop of hops.toReversed()) {
    const address = parseAddress(withoutPort(hop));
    if (!address) return believed;
    believed = formatAddress(address);
    if (!trusted.has(address)) return believed;
  }
  return believed;
}

/** Some proxies write `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text);
  if (bracketed) return bracketed[1] ?? '';
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text;
}
