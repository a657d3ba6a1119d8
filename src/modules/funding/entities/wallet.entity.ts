import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../../../common/platform/database/columns.js';

/** The balance has no lower bound: a settlement may exceed what was reserved. The gate is the reservation. */
@Entity('wallet')
@Check('wallet_held', 'held_micros >= 0')
export class WalletEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'wallet_pk' })
  organizationId: string;
  @Column({ name: 'balance_micros', type: 'bigint', default: 0, transformer: safeInteger })
  balanceMicros: number;
  @Column({ name: 'held_micros', type: 'bigint', default: 0, transformer: safeInteger }) heldMicros: number;
  /** Entries of its ledger, which are numbered without a gap. */
  @Column({ name: 'entry_count', type: 'bigint', default: 0, transformer: safeInteger }) entryCount: number;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now()' }) updatedAt: Date;
}
