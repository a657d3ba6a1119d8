import { ApiProperty } from '@nestjs/swagger';
import { PageLimit } from '../../../common/platform/http/dto/page-limit.js';
import { Optional, Text } from '../../../common/platform/http/dto/validators.js';

export class ListMoneyQuery {
  @PageLimit()
  limit?: string;

  @ApiProperty({ type: String, required: false, description: 'Opaque nextCursor from the previous page.' })
  @Optional()
  @Text({ max: 1_000 })
  cursor?: string;
}
