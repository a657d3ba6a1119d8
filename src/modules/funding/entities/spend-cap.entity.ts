import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../../../common/platform/database/columns.js';

@Entity('spend_cap')
@Check('spend_cap_limit', 'limit_micros >= 0')
export class SpendCapEntity {
  @PrimaryColumn({ name: 'credential_id', type: 'text', primaryKeyConstraintName: 'spend_cap_pk' })
  credentialId: string;
  @Column({ name: 'organization_id', type: 'text' }) organizationId: string;
  @Column({ name: 'limit_micros', type: 'bigint', transformer: safeInteger }) limitMicros: number;
  /** What its calls were charged and still hold. */
  @Column({ name: 'used_micros', type: 'bigint', default: 0, transformer: safeInteger }) usedMicros: number;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt: Date;
}
