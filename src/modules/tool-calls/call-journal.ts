import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { queryPrepared } from '../../common/platform/database/prepared-query.js';
import { beginFree, beginPaid } from './begin-sql.js';
import { type EndedRow, finalCostOf } from './call-rows.js';
import { finishFree, finishPaid } from './finish-sql.js';
import type { CostVerdict } from '../funding/index.js';
import type { CallCreator, CallError, CallStatus, CostStatus, FinalCost } from './tool-call.js';
import type { Funding, FundingSource } from '../tools/index.js';

/** Seconds a node owns a call without a sign of life. The database's clock counts them. */
export const leaseSeconds = 15;
/** Seconds until the accounting service is asked what became of a pending cost; it is asked less and less often. */
export const firstPollSeconds = 2;
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
  readonly redispatch: 'never' | 'safe';
  /** What the call holds of the wallet; null where the wallet does not pay. */
  readonly reservedMicros: number | null;
}

/**
 * `taken`: the key stands for a call already. `refused`: the wallet, or the cap of the credential, has no room for the
 * reservation. Nothing was written in both cases.
 */
export type BeginOutcome =
  | { readonly kind: 'begun'; readonly createdAt: Date; readonly startedAt: Date | null }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly by: 'wallet' | 'cap' };

export interface Finish {
  readonly id: string;
  readonly status: Extract<CallStatus, 'succeeded' | 'failed' | 'unknown'>;
  readonly resultJson: string | null;
  readonly resultTruncated: boolean;
  readonly error: CallError | null;
  readonly cost: CostVerdict;
  readonly reference: string | null;
  readonly organizationId: string;
  readonly creatorId: string;
  /** It holds money of the wallet. */
  readonly isPaid: boolean;
}

export interface Finished {
  readonly completedAt: Date;
  readonly cost: FinalCost;
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
 * conditional on the status and the lease, so a node that lost its lease changes nothing. Statements over several calls
 * lock them in the order of their ids, or two of them deadlock.
 */
@Injectable()
export class CallJournal {
  constructor(private readonly database: DataSource) {}

  /**
   * Writes new calls under a lease, with the holds of those that reserve money. One that may safely run twice begins
   * `running`, with its dispatch mark set; any other begins `queued` and is marked by `start` before its tool is reached.
   */
  async begin(owner: string, calls: readonly NewCall[]): Promise<BeginOutcome[]> {
    const outcomes = new Map<string, BeginOutcome>();
    let rest = withoutTwins(calls);
    while (rest.length > 0) {
      const rows = await this.#begin(owner, rest);
      for (const row of rows) outcomes.set(row.id, outcomeOf(row));
      // A key that another statement took meanwhile may have counted in the judgement of the others: they are judged anew.
      const hadTaken = rows.length < rest.length;
      rest = hadTaken ? rest.filter(({ id }) => outcomes.get(id)?.kind === 'refused') : [];
    }
    return calls.map(({ id }) => outcomes.get(id) ?? { kind: 'taken' });
  }

  #begin(owner: string, calls: readonly NewCall[]): Promise<BegunRow[]> {
    const paid = calls.filter(({ reservedMicros }) => reservedMicros !== null);
    const parameters = [
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
      calls.map((call) => call.reservedMicros),
      owner,
      leaseSeconds,
    ];
    return paid.length === 0
      ? this.#query<BegunRow>(beginFree, parameters)
      : this.#query<BegunRow>(beginPaid, [...parameters, ...moneyOf(paid)]);
  }

  /** Sets the dispatch mark. @returns when each call was started; null: the lease is lost */
  async start(
    owner: string,
    ids: readonly string[],
  ): Promise<({ startedAt: Date; attempts: number } | null)[]> {
    const rows = await this.#query<{ id: string; started_at: Date; attempts: number }>(
      `WITH mine AS (
         SELECT id FROM tool_call WHERE id = ANY ($1::text[]) AND status = 'queued' AND lease_owner = $2
         ORDER BY id FOR UPDATE)
       UPDATE tool_call AS call SET status = 'running', attempts = attempts + 1, dispatched_at = clock_timestamp(),
         started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()
       FROM mine WHERE call.id = mine.id
       RETURNING call.id, started_at, attempts`,
      [ids, owner],
    );
    const started = new Map(
      rows.map((row) => [row.id, { startedAt: row.started_at, attempts: row.attempts }]),
    );
    return ids.map((id) => started.get(id) ?? null);
  }

  /** Ends calls, and settles their holds. @returns how each was ended; null: the lease is lost, and nothing was changed */
  async finish(owner: string, calls: readonly Finish[]): Promise<(Finished | null)[]> {
    const paid = calls.filter(({ isPaid }) => isPaid);
    const parameters = [
      calls.map((call) => call.id),
      calls.map((call) => call.cost.state),
      calls.map((call) => call.cost.micros),
      calls.map((call) => call.reference),
      calls.map((call) => call.status),
      calls.map((call) => call.resultJson),
      calls.map((call) => call.resultTruncated),
      calls.map((call) => (call.error === null ? null : JSON.stringify(call.error))),
      owner,
      firstPollSeconds,
    ];
    const rows =
      paid.length === 0
        ? await this.#query<EndedRow>(finishFree, parameters)
        : await this.#query<EndedRow>(finishPaid, [...parameters, ...moneyOf(paid)]);
    const finished = new Map(
      rows.map((row) => [row.id, { completedAt: row.completed_at, cost: finalCostOf(row) }]),
    );
    return calls.map(({ id }) => finished.get(id) ?? null);
  }

  /** Keeps what a node learned of a call that was given up as `unknown` in the meantime. */
  async keepLateOutcome(call: Finish): Promise<boolean> {
    const rows = await this.#query(
      `UPDATE tool_call SET late_outcome = $2
       WHERE id = $1 AND status = 'unknown' AND late_outcome IS NULL RETURNING id`,
      [
        call.id,
        JSON.stringify({
          status: call.status,
          result: call.resultJson,
          error: call.error,
          cost: call.cost,
          reference: call.reference,
        }),
      ],
    );
    return rows.length > 0;
  }

  /** One sign of life for all calls of a node, where its leases still hold. @returns ids that are still its own */
  async beat(owner: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.#query<{ id: string }>(
      `WITH mine AS (
         SELECT id FROM tool_call WHERE id = ANY ($1::text[]) AND lease_owner = $2 AND lease_until > now()
           AND status IN ('queued', 'running')
         ORDER BY id FOR UPDATE)
       UPDATE tool_call AS call SET lease_until = now() + make_interval(secs => $3)
       FROM mine WHERE call.id = mine.id RETURNING call.id`,
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
         cost_due = CASE WHEN NOT may_run AND cost_status IN ('reserved', 'pending') THEN now() END,
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
      `WITH mine AS (
         SELECT id FROM tool_call WHERE lease_owner = $1 AND status IN ('queued', 'running') ORDER BY id FOR UPDATE)
       UPDATE tool_call AS call SET lease_until = now() FROM mine WHERE call.id = mine.id`,
      [owner],
    );
  }

  #query<Row>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return queryPrepared<Row>(this.database, sql, parameters);
  }
}

const outcomeLost: CallError = {
  code: 'outcome_unknown',
  message:
    'The node that ran the call was lost after the tool was reached; whether it took effect is not known.',
  retryable: false,
  upstreamStatus: null,
};

/** What is locked before the calls: the wallets that pay, and the caps of those who asked. */
function moneyOf(
  calls: readonly (
    Pick<NewCall, 'organizationId' | 'createdBy'> | Pick<Finish, 'organizationId' | 'creatorId'>
  )[],
): [string[], string[]] {
  const creators = calls.map((call) => ('createdBy' in call ? call.createdBy.id : call.creatorId));
  return [[...new Set(calls.map(({ organizationId }) => organizationId))], [...new Set(creators)]];
}

interface BegunRow {
  readonly id: string;
  readonly created_at: Date | null;
  readonly started_at: Date | null;
  readonly refused: 'wallet' | 'cap' | null;
}

function outcomeOf({ created_at: createdAt, started_at: startedAt, refused }: BegunRow): BeginOutcome {
  if (createdAt !== null) return { kind: 'begun', createdAt, startedAt };
  return refused === null ? { kind: 'taken' } : { kind: 'refused', by: refused };
}

/** Of calls with one key the first: the others would be counted in the judgement of the wallet. */
function withoutTwins(calls: readonly NewCall[]): NewCall[] {
  const first = new Map<string, NewCall>();
  for (const call of calls) {
    const key = `${call.organizationId} ${call.idempotencyKey}`;
    if (!first.has(key)) first.set(key, call);
  }
  return [...first.values()];
}
