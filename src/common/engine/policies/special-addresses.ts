import { AddressSet } from './address-set.js';
import { tunnelledAddress, type IpAddress } from './ip-address.js';

/** Special-purpose networks of the IANA registries (RFC 6890) by what a person would call them. */
const ranges = {
  loopback: ['127.0.0.0/8', '::1'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10'],
  unspecified: ['0.0.0.0/8', '::'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: [
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    '100::/64',
    '2001:db8::/32',
    '3fff::/20',
    '5f00::/16',
  ],
} as const;

export type AddressKind = keyof typeof ranges;

const sets = Object.entries(ranges).map(
  ([kind, networks]) => [kind as AddressKind, new AddressSet(networks)] as const,
);

/**
 * Which special network the address lies in, or null for a public one. A transition address (NAT64, 6to4, Teredo) is
 * judged by the IPv4 address inside, where its packets end up.
 */
export function specialKind(address: IpAddress): AddressKind | null {
  const found = sets.find(([, set]) => set.has(address));
  if (found) return found[0];
  const inner = tunnelledAddress(address);
  return inner ? specialKind(inner) : null;
}
