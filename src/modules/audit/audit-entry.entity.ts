import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Append-only: a trigger of the table refuses changes. No foreign keys, since the log outlives what it tells of. */
@Entity('audit_entry')
@Index('audit_entry_newest', ['organizationId', 'createdAt', 'id'])
export class AuditEntryEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_entry_pk' }) id: string;
  @Column({ name: 'organization_id', type: 'text', nullable: true }) organizationId: string | null;
  @Column({ type: 'text' }) action: string;
  @Column({ name: 'actor_type', type: 'text' }) actorType: string;
  @Column({ name: 'actor_id', type: 'text' }) actorId: string;
  @Column({ name: 'user_id', type: 'text', nullable: true }) userId: string | null;
  @Column({ type: 'text' }) target: string;
  @Column({ type: 'json' }) details: object;
  @Column({ type: 'text', nullable: true }) address: string | null;
  @Column({ name: 'request_id', type: 'text', nullable: true }) requestId: string | null;
  /** The clock's time, not the transaction's: entries of one transaction keep their order. */
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' }) createdAt: Date;
}
