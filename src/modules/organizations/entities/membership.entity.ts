import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationEntity } from './organization.entity.js';
import { UserEntity } from './user.entity.js';

@Entity('membership')
@Index('membership_user', ['userId'])
@Check('membership_role', `role IN ('owner', 'admin', 'member')`)
export class MembershipEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'membership_pk' })
  @ForeignKey(() => OrganizationEntity, { name: 'membership_organization_fk', onDelete: 'CASCADE' })
  organizationId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', primaryKeyConstraintName: 'membership_pk' })
  @ForeignKey(() => UserEntity, { name: 'membership_user_fk', onDelete: 'CASCADE' })
  userId: string;

  @Column({ type: 'text' }) role: string;
  @Column({ type: 'integer', default: 1 }) revision: number;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
