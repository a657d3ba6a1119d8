import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { LedgerEntryDto, ReservationDto } from '../../funding/index.js';
import { ToolCallSummaryDto } from './tool-call.dto.js';

@ApiSchema({ name: 'ToolCallReceipt' })
export class ReceiptDto {
  @ApiProperty({ type: ToolCallSummaryDto }) call: ToolCallSummaryDto;
  @ApiProperty({
    type: ReservationDto,
    nullable: true,
    description: 'null: the wallet does not pay for the call.',
  })
  reservation: ReservationDto | null;
  @ApiProperty({ type: [LedgerEntryDto], description: 'What the call moved, oldest first.' })
  entries: LedgerEntryDto[];
  @ApiProperty({ type: Boolean, description: 'The cost does not change any more.' }) isFinal: boolean;
}
