import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ProjectEntity } from './project.entity.js';
import { UserEntity } from './user.entity.js';

/** A person who is no member of the workspace, let into one of its projects. */
@Entity('project_collaborator')
@Index('project_collaborator_user', ['userId'])
@Check('project_collaborator_access', `access IN ('read', 'write')`)
export class CollaboratorEntity {
  @PrimaryColumn({ name: 'project_id', type: 'text', primaryKeyConstraintName: 'project_collaborator_pk' })
  @ForeignKey(() => ProjectEntity, { name: 'project_collaborator_project_fk', onDelete: 'CASCADE' })
  projectId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', primaryKeyConstraintName: 'project_collaborator_pk' })
  @ForeignKey(() => UserEntity, { name: 'project_collaborator_user_fk', onDelete: 'CASCADE' })
  userId: string;

  @Column({ type: 'text' }) access: string;
  @Column({ type: 'integer', default: 1 }) revision: number;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
