import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AnyJsonProperty } from '../../../common/platform/http/openapi/any-json.js';
import { fundings } from '../../tools/index.js';
import { callStatuses, costStatuses } from '../tool-call.js';

const time = { type: String, format: 'date-time' } as const;
const micros = {
  type: 'integer',
  format: 'int64',
  nullable: true,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

@ApiSchema({ name: 'ToolCallError' })
export class ToolCallErrorDto {
  @ApiProperty({ type: String, example: 'timed_out' }) code: string;
  @ApiProperty({ type: String }) message: string;
  @ApiProperty({ type: Boolean, description: 'Another call, with a new key, may succeed.' })
  retryable: boolean;
  @ApiProperty({ type: 'integer', format: 'int32', nullable: true }) upstreamStatus: number | null;
}

@ApiSchema({ name: 'ToolCallFunding' })
export class ToolCallFundingDto {
  @ApiProperty({ type: String, enum: [...fundings] }) requested: string;
  @ApiProperty({
    type: String,
    enum: ['hlix', 'organization', 'none'],
    description: '`none`: nothing is to be paid.',
  })
  source: string;
}

@ApiSchema({ name: 'ToolCallCost', description: 'Settles independently of the execution.' })
export class ToolCallCostDto {
  @ApiProperty({ type: String, enum: [...costStatuses] }) status: string;
  @ApiProperty({ type: String, description: 'The service that does the accounting.', example: 'helix' })
  accountingService: string;
  @ApiProperty({ type: String, enum: ['USD'] }) currency: string;
  @ApiProperty({ ...micros, description: 'null: nothing was reserved.' }) reservedMicros: number | null;
  @ApiProperty({ ...micros, description: 'As the accounting service reported; null is unknown, not zero.' })
  actualMicros: number | null;
  @ApiProperty({ ...micros, description: 'What the wallet of the workspace was debited.' }) chargedMicros:
    number | null;
  @ApiProperty({ type: String, nullable: true, description: "The upstream's receipt." }) reference:
    string | null;
  @ApiProperty({ ...time, nullable: true }) settledAt: string | null;
}

@ApiSchema({ name: 'ToolCallCreator' })
export class ToolCallCreatorDto {
  @ApiProperty({ type: String, enum: ['user', 'apiKey', 'task'] }) type: string;
  @ApiProperty({ type: String }) id: string;
}

@ApiSchema({ name: 'ToolCallSummary', description: 'A ToolCall without its input and result.' })
export class ToolCallSummaryDto {
  @ApiProperty({ type: String, example: 'call_0196a0b0-0000-7000-8000-000000000001' }) id: string;
  @ApiProperty({ type: String }) organizationId: string;
  @ApiProperty({ type: String, nullable: true }) projectId: string | null;
  @ApiProperty({ type: String, example: 'lookup-order' }) toolId: string;
  @ApiProperty({ type: String, example: 'helix' }) provider: string;
  @ApiProperty({ type: String, example: 'order-4711-lookup' }) idempotencyKey: string;
  @ApiProperty({
    type: String,
    enum: [...callStatuses],
    description:
      'Execution. `unknown`: the tool was reached, its outcome was lost, and it is not safe to repeat.',
  })
  status: string;
  @ApiProperty({
    type: Boolean,
    description: 'The result was larger than the policy keeps, and is cut to text.',
  })
  resultTruncated: boolean;
  @ApiProperty({ type: ToolCallErrorDto, nullable: true }) error: ToolCallErrorDto | null;
  @ApiProperty({ type: ToolCallFundingDto }) funding: ToolCallFundingDto;
  @ApiProperty({ type: ToolCallCostDto }) cost: ToolCallCostDto;
  @ApiProperty({ type: ToolCallCreatorDto }) createdBy: ToolCallCreatorDto;
  @ApiProperty({ type: 'integer', format: 'int32', description: 'Dispatches started.' }) attempts: number;
  @ApiProperty({ ...time }) createdAt: string;
  @ApiProperty({ ...time, nullable: true }) startedAt: string | null;
  @ApiProperty({ ...time, nullable: true }) completedAt: string | null;
  @ApiProperty({ ...time }) updatedAt: string;
}

@ApiSchema({ name: 'ToolCall' })
export class ToolCallDto extends ToolCallSummaryDto {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'As it was sent.' }) input: unknown;
  @AnyJsonProperty({
    description: 'Any JSON; null until the call succeeded.',
    example: { state: 'shipped' },
  })
  result: unknown;
}

@ApiSchema({ name: 'ToolCallList' })
export class ToolCallListDto {
  @ApiProperty({ type: [ToolCallSummaryDto], description: 'Newest first.' }) items: ToolCallSummaryDto[];
  @ApiProperty({ type: String, nullable: true, description: 'null: there are no more.' }) nextCursor:
    string | null;
}
