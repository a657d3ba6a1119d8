import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AnyJsonProperty } from '../../../common/platform/http/openapi/any-json.js';
import { letterStates } from '../dead-letter.js';

const time = { type: String, format: 'date-time' } as const;
const int = { type: 'integer', format: 'int32' } as const;

@ApiSchema({ name: 'DeadLetterError' })
export class DeadLetterErrorDto {
  @ApiProperty({ type: String, example: 'HTTP.TARGET_UNREACHABLE' }) code: string;
  @ApiProperty({ type: String }) message: string;
}

@ApiSchema({ name: 'DeadLetterReplay' })
export class DeadLetterReplayDto {
  @ApiProperty({ type: String, enum: ['succeeded', 'failed'] }) status: string;
  @ApiProperty({ type: DeadLetterErrorDto, nullable: true }) error: DeadLetterErrorDto | null;
}

@ApiSchema({ name: 'DeadLetterSummary', description: 'A DeadLetter without its message.' })
export class DeadLetterSummaryDto {
  @ApiProperty({ type: String, example: 'dl_0196a0b0-0000-7000-8000-000000000001' }) id: string;
  @ApiProperty({ type: String, nullable: true }) projectId: string | null;
  @ApiProperty({ type: String, example: 'orders', description: 'The name in dead-letter://name.' })
  queue: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The workflow that takes the message when it is sent again; null where there is none.',
  })
  workflowId: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '/workflows/store-order/steps/insert',
    description: 'Where it failed.',
  })
  failedStep: string | null;
  @ApiProperty({
    type: DeadLetterErrorDto,
    nullable: true,
    description: 'null: put aside without a failure.',
  })
  error: DeadLetterErrorDto | null;
  @ApiProperty({ ...int, description: 'How often the failed step was tried.' }) attempts: number;
  @ApiProperty({ type: String, enum: [...letterStates] }) state: string;
  @ApiProperty({ type: String, enum: ['json', 'text', 'bytes'] }) bodyKind: string;
  @ApiProperty({ ...int, description: 'Bytes, before it was cut.' }) bodySize: number;
  @ApiProperty({ type: String, nullable: true, description: 'Why the body is not whole; null where it is.' })
  bodyNote: string | null;
  @ApiProperty({ type: String }) correlationId: string;
  @ApiProperty({ type: String, nullable: true, description: 'The letter whose replay made this one.' })
  replayOf: string | null;
  @ApiProperty({
    type: DeadLetterReplayDto,
    nullable: true,
    description: 'How the last replay ended; null while it runs, and where there was none.',
  })
  replay: DeadLetterReplayDto | null;
  @ApiProperty({ ...time, nullable: true }) endedAt: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Who sent it again or discarded it.' })
  endedBy: string | null;
  @ApiProperty({ ...time }) createdAt: string;
  @ApiProperty({ ...time, description: 'When it is deleted.' }) expiresAt: string;
}

@ApiSchema({ name: 'DeadLetter' })
export class DeadLetterDto extends DeadLetterSummaryDto {
  @AnyJsonProperty({
    description: 'JSON as it is, text as a string, bytes in base64; a body that was cut as a string.',
    example: { number: '4711' },
  })
  body: unknown;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What may be secret reads [secret], and is left out when the letter is sent again.',
  })
  headers: unknown;
}

@ApiSchema({ name: 'DeadLetterList' })
export class DeadLetterListDto {
  @ApiProperty({ type: [DeadLetterSummaryDto], description: 'Newest first.' }) items: DeadLetterSummaryDto[];
  @ApiProperty({ type: String, nullable: true, description: 'null: there are no more.' }) nextCursor:
    string | null;
}
