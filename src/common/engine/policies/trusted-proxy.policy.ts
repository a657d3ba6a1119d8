import type { Applicant, Policy } from '../api/policy.js';
import type { HelixError } from '../errors/helix-error.js';
import type { AddressSet } from './address-set.js';
import { admitAll } from './admit-all.js';

/**
 * A gateway that has already checked its callers need not show an address or a key of its own: the inner policies are
 * asked of everybody else (contract/mcp-server-component, `trusted_proxies`). Judged by the network peer alone, never
 * by a header.
 */
export class TrustedProxyPolicy implements Policy {
  readonly name: string;

  constructor(
    private readonly trusted: AddressSet,
    private readonly inner: readonly Policy[],
  ) {
    this.name = `trusted-proxy(${inner.map((policy) => policy.name).join(', ')})`;
  }

  admit(applicant: Applicant): HelixError | null | Promise<HelixError | null> {
    return this.trusted.has(applicant.peer) ? null : admitAll(this.inner, applicant);
  }
}
