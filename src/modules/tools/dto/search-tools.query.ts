import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Optional, Text } from '../../../common/platform/http/dto/validators.js';

/** The contract's `limit`: a string, 1–100, defaults to 30. */
export const limitForm = /^([1-9][0-9]?|100)$/;

export class SearchToolsQuery {
  @ApiProperty({
    type: String,
    required: false,
    maxLength: 500,
    description: 'Search text, up to 500 characters.',
  })
  @Optional()
  @Text({ max: 500 })
  query?: string;

  @ApiProperty({ type: String, required: false, description: 'Provider filter.', example: 'helix' })
  @Optional()
  @Text({ max: 100 })
  provider?: string;

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
}
