/** Revisions with `initialize` and sessions, oldest first. */
export const legacyRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
/** Revisions in which every request speaks for itself. */
export const modernRevisions = ['2026-07-28'] as const;

export type LegacyRevision = (typeof legacyRevisions)[number];
export type ModernRevision = (typeof modernRevisions)[number];
/** Dates compare as text, so `revision >= '2025-06-18'` asks what it seems to. */
export type Revision = LegacyRevision | ModernRevision;

export const latestLegacy: LegacyRevision = '2025-11-25';
/** What a legacy request without the header speaks (MCP 2025-11-25, "Protocol Version Header"). */
export const assumedLegacy: LegacyRevision = '2025-03-26';

export function isLegacyRevision(text: unknown): text is LegacyRevision {
  return (legacyRevisions as readonly unknown[]).includes(text);
}

export function isModernRevision(text: unknown): text is ModernRevision {
  return (modernRevisions as readonly unknown[]).includes(text);
}

/** Batches came with JSON-RPC and left with 2025-06-18. */
export function allowsBatches(revision: Revision): boolean {
  return revision <= '2025-03-26';
}
