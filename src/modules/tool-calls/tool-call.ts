import type { Funding, FundingSource } from '../tools/index.js';

export const callStatuses = ['queued', 'running', 'succeeded', 'failed', 'unknown'] as const;
/** Execution. `unknown`: dispatched, outcome lost, and not safe to repeat. */
export type CallStatus = (typeof callStatuses)[number];

export const costStatuses = ['not_metered', 'reserved', 'pending', 'settled', 'unknown'] as const;
/** Cost, which settles independently of the execution. */
export type CostStatus = (typeof costStatuses)[number];

export interface CallError {
  /** Machine code, e.g. `timed_out`. */
  readonly code: string;
  /** Redacted; for the caller to read. */
  readonly message: string;
  readonly retryable: boolean;
  readonly upstreamStatus: number | null;
}

export interface CallCost {
  readonly status: CostStatus;
  /** Who does the accounting: `helix` for native tools, else the upstream. */
  readonly accountingService: string;
  readonly currency: 'USD';
  /** null: nothing was reserved. */
  readonly reservedMicros: number | null;
  /** What the accounting service reported; null is unknown, not zero. */
  readonly actualMicros: number | null;
  /** What the workspace's wallet was debited; null where it did not pay. */
  readonly chargedMicros: number | null;
  /** The upstream's receipt. */
  readonly reference: string | null;
  readonly settledAt: Date | null;
}

/** What an end or a settlement may change of a cost. */
export type FinalCost = Pick<
  CallCost,
  'status' | 'actualMicros' | 'chargedMicros' | 'reference' | 'settledAt'
>;

export interface CallCreator {
  readonly type: 'user' | 'apiKey' | 'task';
  readonly id: string;
}

/** Contract: ToolCall without `input` and `result`. */
export interface ToolCallSummary {
  /** `call_` and a UUIDv7. */
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly toolId: string;
  readonly provider: string;
  readonly idempotencyKey: string;
  readonly status: CallStatus;
  readonly resultTruncated: boolean;
  readonly error: CallError | null;
  readonly funding: { readonly requested: Funding; readonly source: FundingSource };
  readonly cost: CallCost;
  readonly createdBy: CallCreator;
  /** Dispatches started. */
  readonly attempts: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly updatedAt: Date;
}

/** Contract: ToolCall. `input` and `result` as JSON texts, which keep what a parsed value would lose. */
export interface ToolCall extends ToolCallSummary {
  readonly inputJson: string;
  readonly resultJson: string | null;
}

/** What decides whether the same key means the same request. */
export interface CallRequest {
  readonly toolId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly funding: Funding;
  readonly maxCostMicros: number | null;
  readonly projectId: string | null;
}
