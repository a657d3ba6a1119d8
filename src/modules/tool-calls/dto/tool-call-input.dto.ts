import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsObject } from 'class-validator';
import { FreeForm } from '../../../common/platform/http/dto/free-form.js';
import { Optional, Text, WholeNumber } from '../../../common/platform/http/dto/validators.js';
import { fundings, type Funding } from '../../tools/index.js';

@ApiSchema({ name: 'ToolCallInput' })
export class ToolCallInputDto {
  @ApiProperty({
    type: String,
    enum: [...fundings],
    required: false,
    default: 'auto',
    description:
      'Who pays. `auto` takes the connection of the workspace where it can be used, else its wallet.',
  })
  @Optional()
  @IsIn(fundings)
  funding?: Funding;

  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: 200,
    description:
      'Identifies this call within the workspace. Send the same value when you retry; a new value runs and pays again. ' +
      'It is known for as long as the call is kept.',
    example: 'order-4711-lookup',
  })
  @Text({ min: 1, max: 200 })
  idempotencyKey: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The arguments of the tool, as its inputSchema asks for.',
    example: { number: '4711' },
  })
  @FreeForm()
  @IsObject()
  input: Record<string, unknown>;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: false,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Provider reservation budget in USD micros. Actual settlement may exceed this amount.',
  })
  @Optional()
  @WholeNumber({ min: 0 })
  maxCostMicros?: number;

  @ApiProperty({
    type: String,
    required: false,
    minLength: 1,
    description: 'The project the call is filed under.',
  })
  @Optional()
  @Text({ min: 1, max: 1_000_000 })
  projectId?: string;
}
