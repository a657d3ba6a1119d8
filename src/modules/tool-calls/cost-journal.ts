import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { queryPrepared } from '../../common/platform/database/prepared-query.js';
import type { CostVerdict } from '../funding/index.js';
import type { FundingSource } from '../tools/index.js';
import { type EndedRow, finalCostOf } from './call-rows.js';
import { firstPollSeconds } from './call-journal.js';
import { settleLate } from './finish-sql.js';
import type { FinalCost } from './tool-call.js';

/** A call that ended while its cost was pending. */
export interface DueCost {
  readonly callId: string;
  readonly organizationId: string;
  readonly toolId: string;
  readonly provider: string;
  readonly source: FundingSource;
  readonly creatorId: string;
  readonly reference: string | null;
  /** What a node that had lost its lease learned of the cost; null where there was none. */
  readonly late: { readonly verdict: CostVerdict; readonly reference: string | null } | null;
  /** Nobody will be asked again. */
  readonly isOverdue: boolean;
}

export interface Settlement {
  readonly callId: string;
  readonly organizationId: string;
  readonly creatorId: string;
  readonly verdict: CostVerdict;
  readonly reference: string | null;
}

/** Longest pause between two questions about one cost, in seconds. */
const longestPollSeconds = 600;

/** The statements about costs that were pending when their calls ended; plain SQL for the reasons of call-journal.ts. */
@Injectable()
export class CostJournal {
  constructor(private readonly database: DataSource) {}

  /**
   * Takes costs that are due, so that no other node asks for them now. The next question comes after half as long again
   * as the call has been waiting.
   */
  async claimDue(deadlineSeconds: number, most: number): Promise<DueCost[]> {
    const rows = await queryPrepared<{
      id: string;
      organization_id: string;
      tool_id: string;
      provider: string;
      funding_source: FundingSource;
      created_by_id: string;
      cost_reference: string | null;
      late_outcome: string | null;
      is_overdue: boolean;
    }>(
      this.database,
      `WITH due AS (
         SELECT id FROM tool_call
         WHERE cost_status = 'pending' AND cost_due <= now() AND status NOT IN ('queued', 'running')
         ORDER BY cost_due LIMIT $2 FOR UPDATE SKIP LOCKED)
       UPDATE tool_call AS call SET cost_due = now() + least(
         greatest((now() - completed_at) / 2, make_interval(secs => $3)), make_interval(secs => $4))
       FROM due WHERE call.id = due.id
       RETURNING call.id, organization_id, tool_id, provider, funding_source, created_by_id, cost_reference,
         late_outcome, completed_at + make_interval(secs => $1) < now() AS is_overdue`,
      [deadlineSeconds, most, firstPollSeconds, longestPollSeconds],
    );
    return rows.map((row) => ({
      callId: row.id,
      organizationId: row.organization_id,
      toolId: row.tool_id,
      provider: row.provider,
      source: row.funding_source,
      creatorId: row.created_by_id,
      reference: row.cost_reference,
      late: lateOf(row.late_outcome),
      isOverdue: row.is_overdue,
    }));
  }

  /** @returns the cost as it stands then; null: it was not pending any more, and nothing was changed */
  async settle(settlements: readonly Settlement[]): Promise<(FinalCost | null)[]> {
    const rows = await queryPrepared<EndedRow>(this.database, settleLate, [
      settlements.map(({ callId }) => callId),
      settlements.map(({ verdict }) => verdict.state),
      settlements.map(({ verdict }) => verdict.micros),
      settlements.map(({ reference }) => reference),
      firstPollSeconds,
      [...new Set(settlements.map(({ organizationId }) => organizationId))],
      [...new Set(settlements.map(({ creatorId }) => creatorId))],
    ]);
    const settled = new Map(rows.map((row) => [row.id, finalCostOf(row)]));
    return settlements.map(({ callId }) => settled.get(callId) ?? null);
  }
}

function lateOf(stored: string | null): DueCost['late'] {
  if (stored === null) return null;
  const { cost, reference } = JSON.parse(stored) as { cost?: CostVerdict; reference?: string | null };
  return cost === undefined || cost.state === 'pending'
    ? null
    : { verdict: cost, reference: reference ?? null };
}
