import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsISO8601,
  IsString,
  MaxLength,
} from 'class-validator';
import { Optional, Text, WholeNumber } from '../../../../common/platform/http/dto/validators.js';

const names = { type: 'array', items: { type: 'string' } } as const;
const time = { type: String, format: 'date-time', nullable: true } as const;
const micros = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

@ApiSchema({ name: 'CreateTaskCredential' })
export class CreateTaskCredentialDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: 100, example: 'answer ticket 4711' })
  @Text({ min: 1, max: 100 })
  name: string;

  @ApiProperty({
    ...names,
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'Ids of operations of this document; any other is 404 for the credential.',
    example: ['describeTool', 'callTool', 'getToolCall'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(100, { each: true })
  operations: string[];

  @ApiProperty({
    ...names,
    required: false,
    minItems: 1,
    maxItems: 100,
    description: 'Tools the credential sees and calls; left out: all.',
    example: ['search'],
  })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(200, { each: true })
  toolIds?: string[];

  @ApiProperty({ type: String, description: 'The one project it works in: its calls must name it.' })
  @Text({ min: 1, max: 100 })
  projectId: string;

  @ApiProperty({
    ...micros,
    description: 'USD micros it may spend in all; 0: nothing that costs.',
    example: 0,
  })
  @WholeNumber({ min: 0 })
  maxSpendMicros: number;

  @ApiProperty({ type: String, format: 'date-time', description: 'At most 30 days ahead.' })
  @IsISO8601({ strict: true, strictSeparator: true })
  expiresAt: string;
}

@ApiSchema({ name: 'TaskCredential', description: 'A credential for one task, without its secret.' })
export class TaskCredentialDto {
  @ApiProperty({ type: String, example: 'Ab3dE6gH' }) id: string;
  @ApiProperty({ type: String }) organizationId: string;
  @ApiProperty({ type: String, description: 'Whose membership it stands on.' }) userId: string;
  @ApiProperty({ type: String, example: 'answer ticket 4711' }) name: string;
  @ApiProperty({ ...names }) operations: string[];
  @ApiProperty({ ...names, nullable: true, description: 'null: all.' }) toolIds: string[] | null;
  @ApiProperty({ type: String, nullable: true }) projectId: string | null;
  @ApiProperty({ ...micros, nullable: true }) maxSpendMicros: number | null;
  @ApiProperty({ ...micros, nullable: true, description: 'What its calls were charged, and still hold.' })
  spentMicros: number | null;
  @ApiProperty({ ...time }) expiresAt: string | null;
  @ApiProperty({ ...time }) revokedAt: string | null;
  @ApiProperty({ ...time, description: 'Written at most once a minute.' }) lastUsedAt: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt: string;
  @ApiProperty({ type: 'integer', example: 1, description: 'For If-Match.' }) revision: number;
}

@ApiSchema({ name: 'TaskCredentialList' })
export class TaskCredentialListDto {
  @ApiProperty({ type: [TaskCredentialDto] }) items: TaskCredentialDto[];
}

@ApiSchema({ name: 'TaskCredentialWithSecret', description: 'Its secret is shown this once.' })
export class TaskCredentialWithSecretDto extends TaskCredentialDto {
  @ApiProperty({
    type: String,
    description: 'The whole credential, for the header x-api-key.',
    example: 'hlx_task_Ab3dE6gH_00000000000000000000000000000000000000',
  })
  apiKey: string;
}
