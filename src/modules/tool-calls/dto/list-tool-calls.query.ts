import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Optional, Text } from '../../../common/platform/http/dto/validators.js';
import { limitForm } from '../../tools/index.js';

export class ListToolCallsQuery {
  @ApiProperty({ type: String, required: false, description: 'Filter by project.' })
  @Optional()
  @Text({ max: 1_000 })
  projectId?: string;

  @ApiProperty({
    type: String,
    required: false,
    default: '30',
    pattern: limitForm.source,
    description: '1–100, defaults to 30.',
  })
  @Optional()
  @Matches(limitForm, { message: '$property must be a whole number from 1 to 100, written in digits' })
  limit?: string;

  @ApiProperty({ type: String, required: false, description: 'Opaque nextCursor from the previous page.' })
  @Optional()
  @Text({ max: 1_000 })
  cursor?: string;
}
