import { integer, list, type OptionValues } from '../api/options.js';
import type { Applicant, Policy } from '../api/policy.js';
import type { Clock } from '../api/ports.js';
import { HelixError } from '../errors/helix-error.js';
import type { Caller } from '../model/caller.js';
import type { EndpointUri } from '../model/endpoint-uri.js';
import { AddressSet } from './address-set.js';
import { admitAll } from './admit-all.js';
import { ApiKeyPolicy } from './api-key.policy.js';
import { clientAddress } from './client-address.js';
import { IpAllowlistPolicy } from './ip-allowlist.policy.js';
import { parseAddress } from './ip-address.js';
import { RateLimitPolicy } from './rate-limit.policy.js';
import { TrustedProxyPolicy } from './trusted-proxy.policy.js';

/** The options every edge has in common; spread them into the component's own table. */
export const guardOptions = {
  api_keys: list('API keys, one of which each request must carry. Without the option no key is asked.', {
    secret: true,
  }),
  ip_allowlist: list('Addresses or networks that may connect. Without the option all may.'),
  trusted_proxies: list('Addresses or networks of gateways that need neither an allowed address nor a key.'),
  rate_limit: integer('Requests per minute for each caller; 0 is unlimited.', 0, { minimum: 0 }),
};

/** The door of an edge: admission in the order of the contract (trusted proxy, address, key, rate) and who came in. */
export class EdgeGuard {
  readonly policies: readonly Policy[];
  readonly rateLimit: RateLimitPolicy | null;
  readonly #keys: ApiKeyPolicy | null;
  readonly trustedProxies: AddressSet;

  /** @throws HelixError `WORKSPACE.WRONG_OPTION` for a broken address, or a list that is given but empty */
  constructor(uri: EndpointUri, options: OptionValues<typeof guardOptions>, clock: Pick<Clock, 'now'>) {
    for (const name of ['api_keys', 'ip_allowlist'] as const) {
      if (uri.options.has(name) && options[name].length === 0) throw emptyList(name);
    }
    this.trustedProxies = new AddressSet(options.trusted_proxies, 'trusted_proxies');
    this.#keys = options.api_keys.length > 0 ? new ApiKeyPolicy(options.api_keys) : null;
    const checked: Policy[] = [];
    if (options.ip_allowlist.length > 0) {
      checked.push(
        new IpAllowlistPolicy(new AddressSet(options.ip_allowlist, 'ip_allowlist'), this.trustedProxies),
      );
    }
    if (this.#keys) checked.push(this.#keys);
    const principal = (applicant: Applicant): string => this.#bucketOf(applicant);
    this.rateLimit =
      options.rate_limit > 0
        ? new RateLimitPolicy({ perMinute: options.rate_limit, clock, principal })
        : null;
    this.policies = [
      ...(checked.length > 0 ? [new TrustedProxyPolicy(this.trustedProxies, checked)] : []),
      ...(this.rateLimit ? [this.rateLimit] : []),
    ];
  }

  /** Whether a key was asked for, so that the headers which carry it are the guard's and nobody else's. */
  get asksKeys(): boolean {
    return this.#keys !== null;
  }

  /** Null to let in, or the error that refuses. */
  admit(applicant: Applicant): HelixError | null | Promise<HelixError | null> {
    return admitAll(this.policies, applicant);
  }

  /** On whose behalf an admitted request runs. */
  caller(applicant: Applicant): Caller {
    const address = clientAddress(applicant, this.trustedProxies) || null;
    const key = this.#keys?.principal(applicant);
    if (key) return callerOf('apiKey', key, address);
    if (this.trustedProxies.has(applicant.peer))
      return callerOf('gateway', `gateway-${applicant.peer}`, address);
    return callerOf('anonymous', 'anonymous', address);
  }

  /** An IPv6 client owns a /64 at the least, so that is what has one bucket. */
  #bucketOf(applicant: Applicant): string {
    const key = this.#keys?.principal(applicant);
    if (key) return key;
    const text = clientAddress(applicant, this.trustedProxies);
    if (!text.includes(':')) return text;
    const address = parseAddress(text);
    return address?.family === 6 ? `${(address.value >> 64n).toString(16)}/64` : text;
  }
}

function callerOf(kind: Caller['kind'], id: string, address: string | null): Caller {
  return { kind, id, organizationId: null, projectId: null, address };
}

function emptyList(name: string): HelixError {
  return new HelixError(
    'WORKSPACE.WRONG_OPTION',
    `The option "${name}" is given but empty, which would let everybody in: fill it or leave it out.`,
    { details: { option: name } },
  );
}
