import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

@Entity('tool_connection')
@Unique('tool_connection_provider_unique', ['organizationId', 'provider'])
@Check('tool_connection_status', `status IN ('saved', 'verified', 'rejected')`)
export class ConnectionEntity {
  /** Renewed by each save, so that what is learned of an older token changes nothing. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'tool_connection_pk' }) id: string;
  @Column({ name: 'organization_id', type: 'text' }) organizationId: string;
  @Column({ type: 'text' }) provider: string;
  /** The organization at the upstream; `''` where the token carries it. */
  @Column({ name: 'upstream_organization_id', type: 'text' }) upstreamOrganizationId: string;
  /** Envelope: `v1.<key id>.<wrapped key>.<nonce, ciphertext, tag>`. */
  @Column({ name: 'sealed_token', type: 'text' }) sealedToken: string;
  @Column({ type: 'text' }) status: string;
  /** Refusals of the token in a row; the second makes the connection `rejected`. */
  @Column({ type: 'integer', default: 0 }) rejections: number;
  @Column({ name: 'last_verified_at', type: 'timestamptz', nullable: true }) lastVerifiedAt: Date | null;
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true }) lastUsedAt: Date | null;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now()' }) updatedAt: Date;
  @Column({ name: 'updated_by', type: 'text', nullable: true }) updatedBy: string | null;
}
