import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** A person's name at an identity provider, bound once. The address may change there, the subject does not. */
@Entity('user_identity')
@Unique('user_identity_user_unique', ['userId', 'issuer'])
export class IdentityEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'user_identity_pk' }) issuer: string;
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'user_identity_pk' }) subject: string;

  @Column({ name: 'user_id', type: 'text' })
  @ForeignKey(() => UserEntity, { name: 'user_identity_user_fk', onDelete: 'CASCADE' })
  userId: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
