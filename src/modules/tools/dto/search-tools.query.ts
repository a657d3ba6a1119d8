import { ApiProperty } from '@nestjs/swagger';
import { PageLimit } from '../../../common/platform/http/dto/page-limit.js';
import { Optional, Text } from '../../../common/platform/http/dto/validators.js';

export class SearchToolsQuery {
  @ApiProperty({
    type: String,
    required: false,
    maxLength: 500,
    description:
      'Search text, up to 500 characters. Qualifiers among the words narrow the search: `effects:read|write|unknown`, `price:free|per_call|per_result|per_success|unknown`, `origin:native|upstream`, `status:available|blocked|retired`.',
  })
  @Optional()
  @Text({ max: 500 })
  query?: string;

  @ApiProperty({ type: String, required: false, description: 'Provider filter.', example: 'helix' })
  @Optional()
  @Text({ max: 100 })
  provider?: string;

  @PageLimit()
  limit?: string;
}
