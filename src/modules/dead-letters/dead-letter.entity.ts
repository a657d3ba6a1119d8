import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** `headers`, `attributes` and `replay_error` are JSON in text, as the JSON of calls is. */
@Entity('dead_letter')
@Index('dead_letter_newest', ['organizationId', 'createdAt', 'id'])
@Index('dead_letter_replay_of', ['replayOf'], { where: 'replay_of IS NOT NULL' })
@Index('dead_letter_expires', ['expiresAt'])
@Check('dead_letter_state', `state IN ('open', 'replayed', 'discarded')`)
@Check('dead_letter_replay_outcome', `replay_outcome IN ('succeeded', 'failed')`)
export class DeadLetterEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'dead_letter_pk' }) id: string;
  /** Null: nobody of a workspace sent the message. */
  @Column({ name: 'organization_id', type: 'text', nullable: true }) organizationId: string | null;
  @Column({ name: 'project_id', type: 'text', nullable: true }) projectId: string | null;
  @Column({ type: 'text' }) queue: string;
  @Column({ name: 'workflow_id', type: 'text', nullable: true }) workflowId: string | null;
  @Column({ name: 'failed_workflow_id', type: 'text', nullable: true }) failedWorkflowId: string | null;
  @Column({ name: 'failed_step_id', type: 'text', nullable: true }) failedStepId: string | null;
  @Column({ name: 'error_code', type: 'text', nullable: true }) errorCode: string | null;
  @Column({ name: 'error_message', type: 'text', nullable: true }) errorMessage: string | null;
  @Column({ type: 'integer' }) attempts: number;
  @Column({ type: 'text' }) pattern: string;
  @Column({ name: 'correlation_id', type: 'text' }) correlationId: string;
  @Column({ name: 'body_kind', type: 'text' }) bodyKind: string;
  @Column({ type: 'bytea' }) body: Buffer;
  @Column({ name: 'body_size', type: 'integer' }) bodySize: number;
  @Column({ name: 'body_note', type: 'text', nullable: true }) bodyNote: string | null;
  @Column({ type: 'text' }) headers: string;
  @Column({ type: 'text', nullable: true }) attributes: string | null;
  @Column({ type: 'text', default: 'open' }) state: string;
  @Column({ name: 'replay_of', type: 'text', nullable: true }) replayOf: string | null;
  @Column({ name: 'replay_outcome', type: 'text', nullable: true }) replayOutcome: string | null;
  @Column({ name: 'replay_error', type: 'text', nullable: true }) replayError: string | null;
  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true }) endedAt: Date | null;
  @Column({ name: 'ended_by', type: 'text', nullable: true }) endedBy: string | null;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt: Date;
}
