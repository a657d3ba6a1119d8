import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationEntity } from './organization.entity.js';
import { ProjectEntity } from './project.entity.js';

/** A row is an invitation that can still be accepted, or has expired; what was accepted or revoked is in the audit log. */
@Entity('invitation')
@Index('invitation_organization', ['organizationId'])
@Check('invitation_role', `role IN ('owner', 'admin', 'member', 'collaborator')`)
export class InvitationEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'invitation_pk' }) id: string;

  @Column({ name: 'organization_id', type: 'text' })
  @ForeignKey(() => OrganizationEntity, { name: 'invitation_organization_fk', onDelete: 'CASCADE' })
  organizationId: string;

  /** Lower case. */
  @Column({ type: 'text' }) email: string;
  @Column({ type: 'text' }) role: string;

  /** For a collaborator. */
  @Column({ name: 'project_id', type: 'text', nullable: true })
  @ForeignKey(() => ProjectEntity, { name: 'invitation_project_fk', onDelete: 'CASCADE' })
  projectId: string | null;

  @Column({ type: 'text', nullable: true }) access: string | null;
  /** SHA-256 of the token, which has 256 random bits. */
  @Column({ type: 'bytea' }) digest: Buffer;
  @Column({ name: 'invited_by', type: 'text' }) invitedBy: string;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt: Date;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
