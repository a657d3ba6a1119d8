import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../../../common/platform/database/columns.js';

@Entity('hold')
@Index('hold_open', ['organizationId', 'createdAt', 'callId'], { where: `state = 'open'` })
@Check('hold_amount', 'amount_micros >= 0')
@Check('hold_state', `state IN ('open', 'settled', 'released', 'captured')`)
export class HoldEntity {
  @PrimaryColumn({ name: 'call_id', type: 'text', primaryKeyConstraintName: 'hold_pk' }) callId: string;
  @Column({ name: 'organization_id', type: 'text' }) organizationId: string;
  @Column({ name: 'amount_micros', type: 'bigint', transformer: safeInteger }) amountMicros: number;
  @Column({ type: 'text', default: 'open' }) state: string;
  @Column({ name: 'charged_micros', type: 'bigint', nullable: true, transformer: safeInteger })
  chargedMicros: number | null;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column({ name: 'closed_at', type: 'timestamptz', nullable: true }) closedAt: Date | null;
}
