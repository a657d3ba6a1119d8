export { AddressSet } from './address-set.js';
export { admitAll } from './admit-all.js';
export { ApiKeyPolicy } from './api-key.policy.js';
export { applicantOf } from './applicant.js';
export { clientAddress } from './client-address.js';
export { EdgeGuard, guardOptions } from './edge-guard.js';
export { IpAllowlistPolicy } from './ip-allowlist.policy.js';
export {
  formatAddress,
  normaliseAddress,
  parseAddress,
  tunnelledAddress,
  type IpAddress,
} from './ip-address.js';
export { RateLimitPolicy, type RateLimitInit } from './rate-limit.policy.js';
export { specialKind, type AddressKind } from './special-addresses.js';
export { TokenBuckets } from './token-bucket.js';
export { TrustedProxyPolicy } from './trusted-proxy.policy.js';
export { RebindingPolicy, type RebindingInit } from './rebinding.policy.js';
