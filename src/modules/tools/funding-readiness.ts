import type { FundingReadiness } from './tool-descriptor.js';

const ready = { ready: true, reason: null } as const;

/**
 * Which ways to fund a call would work now. Native tools are the only ones so far, and their calls are not metered:
 * whatever is asked for is accepted, nothing is charged, and the source is `none`.
 */
export function fundingReadiness(): FundingReadiness {
  return { auto: { ...ready, source: 'none' }, hlix: ready, organization: ready };
}
