import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A known text sealed with a key of the ring when that key was first seen. */
@Entity('keyring_canary')
export class KeyringCanaryEntity {
  @PrimaryColumn({ type: 'text', name: 'key_id', primaryKeyConstraintName: 'keyring_canary_pkey' })
  keyId: string;

  @Column({ type: 'text' })
  sealed: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
