import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationEntity } from './organization.entity.js';

@Entity('project')
@Unique('project_name_unique', ['organizationId', 'name'])
export class ProjectEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'project_pk' }) id: string;

  @Column({ name: 'organization_id', type: 'text' })
  @ForeignKey(() => OrganizationEntity, { name: 'project_organization_fk', onDelete: 'CASCADE' })
  organizationId: string;

  @Column({ type: 'text' }) name: string;
  @Column({ type: 'integer', default: 1 }) revision: number;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
