import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Optional, Text, WholeNumber } from '../../../common/platform/http/dto/validators.js';

/** What one request may replay or discard. */
const most = 100;

@ApiSchema({
  name: 'DeadLetterBulk',
  description: 'Open letters, oldest first, that match every filter given.',
})
export class DeadLetterBulkDto {
  @ApiProperty({ type: String, required: false, maxLength: 64, example: 'orders' })
  @Optional()
  @Text({ max: 64 })
  queue?: string;

  @ApiProperty({ type: String, required: false, maxLength: 64 })
  @Optional()
  @Text({ max: 64 })
  workflowId?: string;

  @ApiProperty({ type: String, required: false, maxLength: 200 })
  @Optional()
  @Text({ max: 200 })
  code?: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    required: false,
    minimum: 1,
    maximum: most,
    default: most,
    description: 'At most so many; ask again for the rest.',
  })
  @Optional()
  @WholeNumber({ min: 1, max: most })
  limit?: number;
}

@ApiSchema({ name: 'DeadLetterBulkResult' })
export class DeadLetterBulkResultDto {
  @ApiProperty({ type: 'integer', format: 'int32' }) matched: number;
  @ApiProperty({ type: 'integer', format: 'int32' }) succeeded: number;
  @ApiProperty({ type: 'integer', format: 'int32' }) failed: number;
  @ApiProperty({
    type: 'integer',
    format: 'int32',
    description: 'Ended by somebody else meanwhile, or not to be sent again: read the letter for the reason.',
  })
  skipped: number;
}
