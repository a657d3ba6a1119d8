import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { PageLimit } from '../../../common/platform/http/dto/page-limit.js';
import { Optional, Text } from '../../../common/platform/http/dto/validators.js';
import { type LetterState, letterStates } from '../dead-letter.js';

export class ListDeadLettersQuery {
  @ApiProperty({ type: String, required: false, description: 'The name in dead-letter://name.' })
  @Optional()
  @Text({ max: 64 })
  queue?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'Letters of this workflow, or whose failure arose in it.',
  })
  @Optional()
  @Text({ max: 64 })
  workflowId?: string;

  @ApiProperty({ type: String, required: false, description: 'The error code.', example: 'MCP.TOOL_FAILED' })
  @Optional()
  @Text({ max: 200 })
  code?: string;

  @ApiProperty({ type: String, required: false, enum: [...letterStates] })
  @Optional()
  @IsIn(letterStates)
  state?: LetterState;

  @PageLimit()
  limit?: string;

  @ApiProperty({ type: String, required: false, description: 'Opaque nextCursor from the previous page.' })
  @Optional()
  @Text({ max: 1_000 })
  cursor?: string;
}
