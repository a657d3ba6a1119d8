import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

@Entity('organization')
@Unique('organization_personal_unique', ['personalOf'])
export class OrganizationEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'organization_pk' }) id: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'integer', default: 1 }) revision: number;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
  /** The person whose personal workspace it is; null for all others. */
  @Column({ name: 'personal_of', type: 'text', nullable: true }) personalOf: string | null;
  @Column({ name: 'suspended_at', type: 'timestamptz', nullable: true }) suspendedAt: Date | null;
}
