export { EgressGuard, type ResolvedAddress, type Resolver } from './egress-guard.js';
export { GuardedHttpCaller, type HttpReply, type HttpRequest } from './guarded-http-caller.js';
export { guardedFetch, type GuardedFetch, type GuardedFetchInit } from './guarded-fetch.js';
