import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** `user` is a reserved word of SQL. */
@Entity('user_account')
@Unique('user_account_email_unique', ['email'])
export class UserEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'user_account_pk' }) id: string;
  /** Lower case; null for an owner made on the first run, until they give one. */
  @Column({ type: 'text', nullable: true }) email: string | null;
  @Column({ type: 'text' }) name: string;
  /** Argon2id; null: no login with a password. */
  @Column({ name: 'password_hash', type: 'text', nullable: true }) passwordHash: string | null;
  /** When the address was proved. */
  @Column({ name: 'verified_at', type: 'timestamptz', nullable: true }) verifiedAt: Date | null;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
