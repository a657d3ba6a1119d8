import type { CatalogueTool, FundingReadiness } from './tool-descriptor.js';

const ready = { ready: true, reason: null } as const;
const notReady = (reason: string) => ({ ready: false, reason }) as const;

/**
 * Which ways to fund a call of this tool would work now. Nothing is to be paid for a native tool that is free or whose
 * price is not known, so each way is ready and the source is `none`.
 */
export function fundingReadiness(tool: CatalogueTool): FundingReadiness {
  if (isUnpaid(tool)) return { auto: { ...ready, source: 'none' }, hlix: ready, organization: ready };
  const noWallet = notReady('The workspace has no wallet to pay a priced tool from.');
  return {
    auto: { ...noWallet, source: null },
    hlix: noWallet,
    organization: notReady(
      'A native tool is not called through a connection of the workspace: use auto or hlix.',
    ),
  };
}

export function isUnpaid({ pricing }: CatalogueTool): boolean {
  return pricing.model === 'free' || pricing.estimateMicros === null;
}
