import type { CostStatus, FinalCost } from './tool-call.js';

/** What the statements that end a call, or settle its cost, give back of it. */
export interface EndedRow {
  readonly id: string;
  readonly completed_at: Date;
  readonly cost_status: CostStatus;
  /** bigint comes as text. */
  readonly actual_micros: string | null;
  readonly charged_micros: string | null;
  readonly cost_reference: string | null;
  readonly settled_at: Date | null;
}

export function finalCostOf(row: EndedRow): FinalCost {
  return {
    status: row.cost_status,
    actualMicros: row.actual_micros === null ? null : Number(row.actual_micros),
    chargedMicros: row.charged_micros === null ? null : Number(row.charged_micros),
    reference: row.cost_reference,
    settledAt: row.settled_at,
  };
}
