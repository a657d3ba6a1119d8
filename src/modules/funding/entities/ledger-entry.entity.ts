import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { safeInteger } from '../../../common/platform/database/columns.js';

/** Append-only, which a trigger sees to. `number` counts the entries of one wallet, without a gap. */
@Entity('ledger_entry')
@Unique('ledger_entry_call_unique', ['callId', 'kind'])
@Unique('ledger_entry_key_unique', ['organizationId', 'idempotencyKey'])
@Check('ledger_entry_kind', `kind IN ('top_up', 'adjustment', 'settle', 'overrun', 'capture')`)
export class LedgerEntryEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'ledger_entry_pk' })
  organizationId: string;
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'ledger_entry_pk', transformer: safeInteger })
  number: number;
  @Column({ type: 'text' }) kind: string;
  @Column({ name: 'amount_micros', type: 'bigint', transformer: safeInteger }) amountMicros: number;
  /** Of the wallet after this entry. */
  @Column({ name: 'balance_micros', type: 'bigint', transformer: safeInteger }) balanceMicros: number;
  @Column({ name: 'call_id', type: 'text', nullable: true }) callId: string | null;
  @Column({ type: 'text', nullable: true }) reason: string | null;
  @Column({ name: 'idempotency_key', type: 'text', nullable: true }) idempotencyKey: string | null;
  @Column({ name: 'created_by_type', type: 'text', nullable: true }) createdByType: string | null;
  @Column({ name: 'created_by_id', type: 'text', nullable: true }) createdById: string | null;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' }) createdAt: Date;
}
