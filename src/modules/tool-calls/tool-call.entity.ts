import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { safeInteger } from '../../common/platform/database/columns.js';

/**
 * One durable call. `input`, `result`, `error` and `late_outcome` are JSON in text: jsonb would reorder members, rewrite
 * numbers and refuse NUL. There is no foreign key to the workspace: it would cost a look-up and a row lock on the one
 * hot row of a busy workspace for each call, and workspaces are suspended, never deleted.
 */
@Entity('tool_call')
@Unique('tool_call_key_unique', ['organizationId', 'idempotencyKey'])
@Index('tool_call_newest', ['organizationId', 'createdAt', 'id'])
@Index('tool_call_project_newest', ['organizationId', 'projectId', 'createdAt', 'id'])
@Index('tool_call_lease', ['leaseUntil'], { where: `status IN ('queued', 'running')` })
@Index('tool_call_cost_due', ['costDue'], { where: `cost_status = 'pending'` })
@Check('tool_call_status', `status IN ('queued', 'running', 'succeeded', 'failed', 'unknown')`)
@Check('tool_call_cost_status', `cost_status IN ('not_metered', 'reserved', 'pending', 'settled', 'unknown')`)
export class ToolCallEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'tool_call_pk' }) id: string;
  @Column({ name: 'organization_id', type: 'text' }) organizationId: string;
  @Column({ name: 'project_id', type: 'text', nullable: true }) projectId: string | null;
  @Column({ name: 'tool_id', type: 'text' }) toolId: string;
  @Column({ type: 'text' }) provider: string;
  @Column({ name: 'idempotency_key', type: 'text' }) idempotencyKey: string;
  @Column({ name: 'request_hash', type: 'bytea' }) requestHash: Buffer;
  @Column({ name: 'request_hash_version', type: 'smallint' }) requestHashVersion: number;
  @Column({ type: 'text' }) input: string;
  @Column({ type: 'text' }) status: string;
  @Column({ type: 'text', nullable: true }) result: string | null;
  @Column({ name: 'result_truncated', type: 'boolean', default: false }) resultTruncated: boolean;
  @Column({ type: 'text', nullable: true }) error: string | null;
  @Column({ name: 'funding_requested', type: 'text' }) fundingRequested: string;
  @Column({ name: 'funding_source', type: 'text' }) fundingSource: string;
  @Column({ name: 'max_cost_micros', type: 'bigint', nullable: true, transformer: safeInteger })
  maxCostMicros: number | null;
  @Column({ name: 'cost_status', type: 'text' }) costStatus: string;
  @Column({ name: 'accounting_service', type: 'text' }) accountingService: string;
  @Column({ name: 'reserved_micros', type: 'bigint', nullable: true, transformer: safeInteger })
  reservedMicros: number | null;
  @Column({ name: 'actual_micros', type: 'bigint', nullable: true, transformer: safeInteger })
  actualMicros: number | null;
  @Column({ name: 'charged_micros', type: 'bigint', nullable: true, transformer: safeInteger })
  chargedMicros: number | null;
  @Column({ name: 'cost_reference', type: 'text', nullable: true }) costReference: string | null;
  /** When the accounting service is asked next what a `pending` cost has become; null while the call runs. */
  @Column({ name: 'cost_due', type: 'timestamptz', nullable: true }) costDue: Date | null;
  @Column({ name: 'settled_at', type: 'timestamptz', nullable: true }) settledAt: Date | null;
  @Column({ name: 'created_by_type', type: 'text' }) createdByType: string;
  @Column({ name: 'created_by_id', type: 'text' }) createdById: string;
  @Column({ type: 'integer', default: 0 }) attempts: number;
  /** The tool's policy when the call was made: may it run again after its node was lost? */
  @Column({ type: 'text' }) redispatch: string;
  /** Boot id of the node that runs it; kept when it is done, to tell who finished it. */
  @Column({ name: 'lease_owner', type: 'text', nullable: true }) leaseOwner: string | null;
  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true }) leaseUntil: Date | null;
  /** The dispatch mark: unset, the tool was certainly not reached by the present attempt. */
  @Column({ name: 'dispatched_at', type: 'timestamptz', nullable: true }) dispatchedAt: Date | null;
  /** What a node that had lost its lease knew of an `unknown` call, for reconciliation. */
  @Column({ name: 'late_outcome', type: 'text', nullable: true }) lateOutcome: string | null;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column({ name: 'started_at', type: 'timestamptz', nullable: true }) startedAt: Date | null;
  @Column({ name: 'completed_at', type: 'timestamptz', nullable: true }) completedAt: Date | null;
  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'clock_timestamp()' }) updatedAt: Date;
}
