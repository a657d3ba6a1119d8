import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { entryKinds, holdStates } from '../funding.js';

const time = { type: String, format: 'date-time' } as const;
const micros = {
  type: 'integer',
  format: 'int64',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

@ApiSchema({ name: 'Wallet', description: 'Money of a workspace in USD micros (10^-6 USD).' })
export class WalletDto {
  @ApiProperty({ type: String }) organizationId: string;
  @ApiProperty({ type: String, enum: ['USD'] }) currency: string;
  @ApiProperty({ ...micros, description: 'Below zero where settlements exceeded their reservations.' })
  balanceMicros: number;
  @ApiProperty({ ...micros, description: 'Reserved by calls whose cost is not settled.' }) heldMicros: number;
  @ApiProperty({ ...micros, description: 'What further calls can reserve.' }) headroomMicros: number;
  @ApiProperty({ ...time, nullable: true }) updatedAt: string | null;
}

@ApiSchema({ name: 'LedgerEntryCreator' })
export class LedgerEntryCreatorDto {
  @ApiProperty({ type: String, enum: ['user', 'apiKey', 'task', 'operator'] }) type: string;
  @ApiProperty({ type: String }) id: string;
}

@ApiSchema({ name: 'LedgerEntry', description: 'One movement. Entries are only added, never changed.' })
export class LedgerEntryDto {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Counts the entries without a gap.' })
  number: number;
  @ApiProperty({
    type: String,
    enum: [...entryKinds],
    description: '`overrun`: what a settlement exceeded its reservation by.',
  })
  kind: string;
  @ApiProperty({ ...micros, description: 'Above zero: into the wallet.' }) amountMicros: number;
  @ApiProperty({ ...micros, description: 'Balance of the wallet after this entry.' }) balanceMicros: number;
  @ApiProperty({ type: String, nullable: true }) callId: string | null;
  @ApiProperty({ type: String, nullable: true }) reason: string | null;
  @ApiProperty({ type: String, nullable: true }) idempotencyKey: string | null;
  @ApiProperty({ type: LedgerEntryCreatorDto, nullable: true }) createdBy: LedgerEntryCreatorDto | null;
  @ApiProperty({ ...time }) createdAt: string;
}

@ApiSchema({ name: 'LedgerEntryList' })
export class LedgerEntryListDto {
  @ApiProperty({ type: [LedgerEntryDto], description: 'Newest first.' }) items: LedgerEntryDto[];
  @ApiProperty({ type: String, nullable: true, description: 'null: there are no more.' }) nextCursor:
    string | null;
}

@ApiSchema({ name: 'WalletMovement' })
export class WalletMovementDto {
  @ApiProperty({ type: LedgerEntryDto }) entry: LedgerEntryDto;
  @ApiProperty({ type: WalletDto, description: 'As it is now.' }) wallet: WalletDto;
}

@ApiSchema({ name: 'Reservation', description: 'What one call holds of the wallet.' })
export class ReservationDto {
  @ApiProperty({ type: String }) callId: string;
  @ApiProperty({ ...micros }) amountMicros: number;
  @ApiProperty({
    type: String,
    enum: [...holdStates],
    description: '`captured`: the cost never became known, and the reserved amount was taken.',
  })
  state: string;
  @ApiProperty({ ...micros, nullable: true }) chargedMicros: number | null;
  @ApiProperty({ ...time }) createdAt: string;
  @ApiProperty({ ...time, nullable: true }) closedAt: string | null;
}

@ApiSchema({ name: 'ReservationList' })
export class ReservationListDto {
  @ApiProperty({ type: [ReservationDto], description: 'Open ones, newest first.' }) items: ReservationDto[];
  @ApiProperty({ type: String, nullable: true, description: 'null: there are no more.' }) nextCursor:
    string | null;
}
