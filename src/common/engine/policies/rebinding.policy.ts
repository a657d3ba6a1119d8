import type { Applicant, Policy } from '../api/policy.js';
import { HelixError } from '../errors/helix-error.js';
import { remembering } from '../model/remember.js';
import type { AddressSet } from './address-set.js';
import { parseAddress } from './ip-address.js';
import { specialKind } from './special-addresses.js';

export interface RebindingInit {
  /** The host that is listened on. */
  readonly host: string;
  /** Web origins that may call, exactly as a browser sends them; `*` covers pages of this machine only. */
  readonly origins: readonly string[];
  readonly trustedProxies: AddressSet;
}

/**
 * For what listens on loopback: a web page of anywhere, open in a browser on this machine, must not reach it, neither by
 * a cross-site request nor by a name that suddenly resolves to 127.0.0.1 (DNS rebinding). So `Host` must name this
 * machine and `Origin`, which browsers add and others do not, must be the same place or a listed one. What listens speaks
 * plain HTTP, so a page of `https` on the same host and port is another origin (RFC 6454, section 5).
 */
export class RebindingPolicy implements Policy {
  readonly name = 'rebinding';
  /** Whether the host is loopback; elsewhere the policy lets everybody pass. */
  readonly active: boolean;
  readonly #origins: ReadonlySet<string>;

  constructor(private readonly init: RebindingInit) {
    this.active = isLoopbackName(init.host);
    this.#origins = new Set(init.origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  }

  admit(applicant: Applicant): HelixError | null {
    if (!this.active || this.init.trustedProxies.has(applicant.peer)) return null;
    const host = applicant.header('host')?.toLowerCase();
    if (host === undefined || !isLoopbackHost(host)) {
      return refusal(
        'The Host header does not name this machine. A proxy on this machine belongs in trusted_proxies.',
      );
    }
    const origin = applicant.header('origin')?.toLowerCase();
    if (origin === undefined || origin === `http://${host}`) return null;
    if (this.#origins.has(origin) || (this.#origins.has('*') && isLoopbackOrigin(origin))) return null;
    return refusal('Pages of this origin may not call. List the origin in the CORS origins to let it.');
  }
}

/** Of a `Host` header: a name or an address, with a port or without. */
const isLoopbackHost = remembering((host) => {
  const name = /^(\[[^\]]+\]|[^:]+)(?::\d{1,5})?$/.exec(host)?.[1];
  return name !== undefined && isLoopbackName(name.replace(/^\[|\]$/g, ''));
});

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackName(new URL(origin).hostname.replace(/^\[|\]$/g, ''));
}

function isLoopbackName(name: string): boolean {
  if (name.toLowerCase() === 'localhost') return true;
  const address = parseAddress(name);
  return address !== null && specialKind(address) === 'loopback';
}

function refusal(message: string): HelixError {
  return new HelixError('ACCESS.CROSS_SITE_REQUEST', message);
}
