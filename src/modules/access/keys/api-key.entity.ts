import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('api_key')
@Index('api_key_organization', ['organizationId', 'createdAt'])
@Check('api_key_kind', `kind IN ('sk', 'task')`)
export class ApiKeyEntity {
  /** The public part of the key. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'api_key_pk' }) id: string;
  @Column({ type: 'text' }) kind: string;
  @Column({ name: 'organization_id', type: 'text' }) organizationId: string;
  /** Whose membership the key stands on. */
  @Column({ name: 'user_id', type: 'text' }) userId: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text', array: true }) scopes: string[];
  @Column({ name: 'project_ids', type: 'text', array: true, nullable: true }) projectIds: string[] | null;
  @Column({ type: 'text', array: true, nullable: true }) operations: string[] | null;
  @Column({ name: 'tool_ids', type: 'text', array: true, nullable: true }) toolIds: string[] | null;
  @Column({ type: 'bytea' }) digest: Buffer;
  /** Key of the ring that the digest was made with; null: made before this was kept. */
  @Column({ name: 'ring_key_id', type: 'text', nullable: true }) ringKeyId: string | null;
  /** The secret before the last rotation, good until `previous_until`. */
  @Column({ name: 'previous_digest', type: 'bytea', nullable: true }) previousDigest: Buffer | null;
  @Column({ name: 'previous_ring_key_id', type: 'text', nullable: true }) previousRingKeyId: string | null;
  @Column({ name: 'previous_until', type: 'timestamptz', nullable: true }) previousUntil: Date | null;
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true }) expiresAt: Date | null;
  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true }) revokedAt: Date | null;
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true }) lastUsedAt: Date | null;
  @Column({ type: 'integer', default: 1 }) revision: number;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
