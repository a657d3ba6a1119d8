import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Rows of connect-pg-simple, which names the columns. The cookie is signed with the keyring: a row alone opens nothing. */
@Entity('user_session')
@Index('user_session_expire', ['expire'])
export class SessionEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'user_session_pk' }) sid: string;
  @Column({ type: 'json' }) sess: object;
  @Column({ type: 'timestamptz' }) expire: Date;
}
