import type { Applicant, Policy } from '../api/policy.js';
import { HelixError } from '../errors/helix-error.js';
import type { AddressSet } from './address-set.js';
import { clientAddress } from './client-address.js';
import { parseAddress, tunnelledAddress } from './ip-address.js';
import { specialKind } from './special-addresses.js';

/** Lets in clients whose address is listed. A client without a readable address is not. */
export class IpAllowlistPolicy implements Policy {
  readonly name = 'ip-allowlist';

  constructor(
    private readonly allowed: AddressSet,
    private readonly trustedProxies: AddressSet,
  ) {}

  admit(applicant: Applicant): HelixError | null {
    const client = clientAddress(applicant, this.trustedProxies);
    if (this.allowed.has(client)) return null;
    const address = parseAddress(client);
    const inner = address && tunnelledAddress(address);
    // A tunnel end may speak for its public IPv4 address; nobody out there speaks for a private one.
    if (inner && specialKind(inner) === null && this.allowed.has(inner)) return null;
    return new HelixError('ACCESS.IP_NOT_ALLOWED', 'This address is not allowed to connect.', {
      details: { address: client },
    });
  }
}
