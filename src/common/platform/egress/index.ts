export { EgressGuard, type ResolvedAddress, type Resolver } from './egress-guard.js';
export { guardedFetch, type GuardedFetch, type GuardedFetchInit } from './guarded-fetch.js';
