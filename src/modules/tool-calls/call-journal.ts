import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CallCreator, CallError, CallStatus, CostStatus } from './tool-call.js';
import type { Funding, FundingSource } from '../tools/index.js';

/** Seconds a node owns a call without a sign of life. The database's clock counts them. */
export const leaseSeconds = 15;
/** Dispatches of one call at most: a tool that kills its node must not kill every node in turn. */
export const mostAttempts = 5;

export interface NewCall {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly toolId: string;
  readonly provider: string;
  readonly idempotencyKey: string;
  readonly requestHash: Buffer;
  readonly requestHashVersion: number;
  readonly inputJson: string;
  readonly fundingRequested: Funding;
  readonly fundingSource: FundingSource;
  readonly maxCostMicros: number | null;
  readonly costStatus: CostStatus;
  readonly accountingService: string;
  readonly createdBy: CallCreator;
  readonly redispatch: string;
}

/** What was written for a new call; null: its key was taken already. */
export interface Begun {
  readonly createdAt: Date;
  readonly startedAt: Date | null;
}

export interface Finish {
  readonly id: string;
  readonly status: Extract<CallStatus, 'succeeded' | 'failed' | 'unknown'>;
  readonly resultJson: string | null;
  readonly resultTruncated: boolean;
  readonly error: CallError | null;
}

export interface LeasedCall {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly toolId: string;
  readonly provider: string;
  readonly inputJson: string;
  readonly createdBy: CallCreator;
  readonly fundingSource: FundingSource;
  /** Its tool may run again after an interruption. */
  readonly mayRunAgain: boolean;
  /** Whether the next dispatch must be marked in the database before it happens. */
  readonly needsMark: boolean;
}

/**
 * The statements on which the durability of calls rests, as plain SQL in this one file: each works on a batch, which at
 * fifty callers is several times as fast as a statement a call, and repositories cannot say it. Every transition is
 * conditional on the status and the lease, so a node that lost its lease changes nothing.
 */
@Injectable()
export class CallJournal {
  constructor(private readonly database: DataSource) {}

  /**
   * Writes new calls under a lease. One that may safely run twice begins `running`, with its dispatch mark set; any
   * other begins `queued` and is marked by `start` before its tool is reached.
   */
  async begin(owner: string, calls: readonly NewCall[]): Promise<(Begun | null)[]> {
    const rows = await this.#query<{ id: string; created_at: Date; started_at: Date | null }>(
      `INSERT INTO tool_call (
         id, organization_id, project_id, tool_id, provider, idempotency_key, request_hash, request_hash_version, input,
         funding_requested, funding_source, max_cost_micros, cost_status, accounting_service, created_by_type,
         created_by_id, redispatch, status, attempts, dispatched_at, started_at, lease_owner, lease_until)
       SELECT new.*,
         CASE WHEN new.redispatch = 'safe' THEN 'running' ELSE 'queued' END,
         CASE WHEN new.redispatch = 'safe' THEN 1 ELSE 0 END,
         CASE WHEN new.redispatch = 'safe' THEN clock_timestamp() END,
         CASE WHEN new.redispatch = 'safe' THEN clock_timestamp() END,
         $18, now() + make_interval(secs => $19)
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::smallint[],
         $9::text[], $10::text[], $11::text[], $12::bigint[], $13::text[], $14::text[], $15::text[], $16::text[],
         $17::text[])
         AS new (id, organization_id, project_id, tool_id, provider, idempotency_key, request_hash,
           request_hash_version, input, funding_requested, funding_source, max_cost_micros, cost_status,
           accounting_service, created_by_type, created_by_id, redispatch)
       ON CONFLICT ON CONSTRAINT tool_call_key_unique DO NOTHING
       RETURNING id, created_at, started_at`,
      [
        calls.map((call) => call.id),
        calls.map((call) => call.organizationId),
        calls.map((call) => call.projectId),
        calls.map((call) => call.toolId),
        calls.map((call) => call.provider),
        calls.map((call) => call.idempotencyKey),
        calls.map((call) => call.requestHash),
        calls.map((call) => call.requestHashVersion),
        calls.map((call) => call.inputJson),
        calls.map((call) => call.fundingRequested),
        calls.map((call) => call.fundingSource),
        calls.map((call) => call.maxCostMicros),
        calls.map((call) => call.costStatus),
        calls.map((call) => call.accountingService),
        calls.map((call) => call.createdBy.type),
        calls.map((call) => call.createdBy.id),
        calls.map((call) => call.redispatch),
        owner,
        leaseSeconds,
      ],
    );
    const written = new Map(
      rows.map((row) => [row.id, { createdAt: row.created_at, startedAt: row.started_at }]),
    );
    return calls.map(({ id }) => written.get(id) ?? null);
  }

  /** Sets the dispatch mark. @returns when each call was started; null: the lease is lost */
  async start(
    owner: string,
    ids: readonly string[],
  ): Promise<({ startedAt: Date; attempts: number } | null)[]> {
    const rows = await this.#query<{ id: string; started_at: Date; attempts: number }>(
      `UPDATE tool_call SET status = 'running', attempts = attempts + 1, dispatched_at = clock_timestamp(),
         started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()
       WHERE id = ANY ($1::text[]) AND status = 'queued' AND lease_owner = $2
       RETURNING id, started_at, attempts`,
      [ids, owner],
    );
    const started = new Map(
      rows.map((row) => [row.id, { startedAt: row.started_at, attempts: row.attempts }]),
    );
    return ids.map((id) => started.get(id) ?? null);
  }

  /** Ends calls. @returns when each ended; null: the lease is lost, and nothing was changed */
  async finish(owner: string, calls: readonly Finish[]): Promise<(Date | null)[]> {
    const rows = await this.#query<{ id: string; completed_at: Date }>(
      `UPDATE tool_call AS call SET status = done.status, result = done.result,
         result_truncated = done.result_truncated, error = done.error, completed_at = clock_timestamp(),
         updated_at = clock_timestamp(), lease_until = NULL
       FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::text[])
         AS done (id, status, result, result_truncated, error)
       WHERE call.id = done.id AND call.status IN ('queued', 'running') AND call.lease_owner = $6
       RETURNING call.id, call.completed_at`,
      [
        calls.map((call) => call.id),
        calls.map((call) => call.status),
        calls.map((call) => call.resultJson),
        calls.map((call) => call.resultTruncated),
        calls.map((call) => (call.error === null ? null : JSON.stringify(call.error))),
        owner,
      ],
    );
    const finished = new Map(rows.map((row) => [row.id, row.completed_at]));
    return calls.map(({ id }) => finished.get(id) ?? null);
  }

  /** Keeps what a node learned of a call that was given up as `unknown` in the meantime. */
  async keepLateOutcome(call: Finish): Promise<boolean> {
    const rows = await this.#query(
      `UPDATE tool_call SET late_outcome = $2
       WHERE id = $1 AND status = 'unknown' AND late_outcome IS NULL RETURNING id`,
      [call.id, JSON.stringify({ status: call.status, result: call.resultJson, error: call.error })],
    );
    return rows.length > 0;
  }

  /** One sign of life for all calls of a node, where its leases still hold. @returns ids that are still its own */
  async beat(owner: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.#query<{ id: string }>(
      `UPDATE tool_call SET lease_until = now() + make_interval(secs => $3)
       WHERE id = ANY ($1::text[]) AND lease_owner = $2 AND lease_until > now() AND status IN ('queued', 'running')
       RETURNING id`,
      [ids, owner, leaseSeconds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Takes over calls whose lease ran out. What was not dispatched, or may run twice, is leased anew; the rest is given
   * up as `unknown`: nobody can know whether it happened.
   * @param running the node's own calls: a late beat does not make them orphans
   */
  async recover(owner: string, running: readonly string[], most: number): Promise<LeasedCall[]> {
    const rows = await this.#query<{
      id: string;
      organization_id: string;
      project_id: string | null;
      tool_id: string;
      provider: string;
      input: string;
      created_by_type: CallCreator['type'];
      created_by_id: string;
      funding_source: FundingSource;
      status: CallStatus;
      redispatch: string;
    }>(
      `WITH orphan AS (
         SELECT id, (dispatched_at IS NULL OR redispatch = 'safe') AND attempts < $4 AS may_run FROM tool_call
         WHERE status IN ('queued', 'running') AND lease_until < now() AND NOT (id = ANY ($2::text[]))
         ORDER BY lease_until LIMIT $3 FOR UPDATE SKIP LOCKED)
       UPDATE tool_call AS call SET
         status = CASE WHEN may_run THEN 'queued' ELSE 'unknown' END,
         lease_owner = CASE WHEN may_run THEN $1 ELSE lease_owner END,
         lease_until = CASE WHEN may_run THEN now() + make_interval(secs => $5) END,
         dispatched_at = CASE WHEN may_run THEN NULL ELSE dispatched_at END,
         error = CASE WHEN may_run THEN NULL ELSE $6 END,
         cost_status = CASE WHEN NOT may_run AND cost_status = 'reserved' THEN 'pending' ELSE cost_status END,
         completed_at = CASE WHEN may_run THEN NULL ELSE clock_timestamp() END,
         updated_at = clock_timestamp()
       FROM orphan WHERE call.id = orphan.id
       RETURNING call.id, organization_id, project_id, tool_id, provider, input, created_by_type, created_by_id,
         funding_source, status, redispatch`,
      [owner, running, most, mostAttempts, leaseSeconds, JSON.stringify(outcomeLost)],
    );
    return rows
      .filter(({ status }) => status === 'queued')
      .map((row) => ({
        id: row.id,
        organizationId: row.organization_id,
        projectId: row.project_id,
        toolId: row.tool_id,
        provider: row.provider,
        inputJson: row.input,
        createdBy: { type: row.created_by_type, id: row.created_by_id },
        fundingSource: row.funding_source,
        mayRunAgain: row.redispatch === 'safe',
        needsMark: true,
      }));
  }

  /** Ends the leases of a node that goes, so that others need not wait for them to run out. */
  async release(owner: string): Promise<void> {
    await this.#query(
      `UPDATE tool_call SET lease_until = now() WHERE lease_owner = $1 AND status IN ('queued', 'running')`,
      [owner],
    );
  }

  /** TypeORM answers an UPDATE … RETURNING with the rows and their number, everything else with the rows. */
  async #query<Row>(sql: string, parameters: unknown[]): Promise<Row[]> {
    const answer: unknown = await this.database.query(sql, parameters);
    const [rows] = answer as [unknown];
    return (Array.isArray(rows) ? rows : answer) as Row[];
  }
}

const outcomeLost: CallError = {
  code: 'outcome_unknown',
  message:
    'The node that ran the call was lost after the tool was reached; whether it took effect is not known.',
  retryable: false,
  upstreamStatus: null,
};
