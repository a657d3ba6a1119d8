import { lookup as resolve } from 'node:dns';
import { promisify } from 'node:util';
import { HelixError } from '../../engine/errors/helix-error.js';
import { AddressSet, formatAddress, parseAddress, specialKind } from '../../engine/policies/index.js';

/** A resolved address, ready for `net.connect`. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Turns a host name into all of its addresses. */
export type Resolver = (host: string) => Promise<readonly { readonly address: string }[]>;

const systemResolver: Resolver = (host) => promisify(resolve)(host, { all: true, verbatim: true });

/**
 * Which addresses outgoing calls may reach: public ones, and of the private, loopback, link-local, metadata and reserved
 * ones only those that `HELIX_ALLOW_PRIVATE_EGRESS` allows. Always judged by the address that is really connected to, so
 * that a name cannot point elsewhere between check and use.
 */
export class EgressGuard {
  readonly #all: boolean;
  readonly #networks: AddressSet;
  readonly #hosts: readonly string[];

  /** @param allowed true for everything, or hosts (`*.internal` too), addresses and CIDRs */
  constructor(
    allowed: boolean | readonly string[],
    private readonly resolver: Resolver = systemResolver,
  ) {
    const entries = typeof allowed === 'boolean' ? [] : allowed;
    this.#all = allowed === true;
    this.#networks = new AddressSet(entries.filter(isNetwork), 'HELIX_ALLOW_PRIVATE_EGRESS');
    this.#hosts = entries.filter((entry) => !isNetwork(entry)).map((entry) => entry.toLowerCase());
  }

  /**
   * The addresses of a host that may be connected to, at least one.
   * @param host as in `URL.hostname`
   * @throws HelixError `MCP.EGRESS_REFUSED` where there is none, or the resolver's own error
   */
  async addressesOf(host: string): Promise<readonly ResolvedAddress[]> {
    const name = host
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '')
      .toLowerCase();
    const literal = parseAddress(name);
    const found = literal ? [{ address: formatAddress(literal) }] : await this.resolver(name);
    const allowed: ResolvedAddress[] = [];
    let refused = '';
    for (const { address: text } of found) {
      const address = parseAddress(text);
      if (!address) continue;
      const kind = specialKind(address);
      if (kind === null || this.#all || this.#isNamed(name) || this.#networks.has(address)) {
        allowed.push({ address: formatAddress(address), family: address.family });
      } else refused = kind;
    }
    if (allowed.length > 0) return allowed;
    throw new HelixError(
      'MCP.EGRESS_REFUSED',
      refused === ''
        ? `The host "${host}" has no address.`
        : `"${host}" is a ${refused} address, which outgoing calls may not reach. To allow it, name it in HELIX_ALLOW_PRIVATE_EGRESS (a comma list of hosts or networks, or true).`,
      { details: { host, ...(refused === '' ? {} : { kind: refused }) } },
    );
  }

  #isNamed(host: string): boolean {
    return this.#hosts.some((entry) =>
      entry.startsWith('*.')
        ? host.endsWith(entry.slice(1)) && host.length > entry.length - 1
        : host === entry,
    );
  }
}

const isNetwork = (entry: string): boolean => parseAddress(entry.split('/')[0] ?? '') !== null;
