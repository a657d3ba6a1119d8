import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** `user` is a reserved word of SQL. */
@Entity('user_account')
@Unique('user_account_email_unique', ['email'])
export class UserEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'user_account_pk' }) id: string;
  /** Lower case; null for an owner made on the first run, until they give one. */
  @Column({ type: 'text', nullable: true }) email: string | null;
  @Column({ type: 'text' }) name: string;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
