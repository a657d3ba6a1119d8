import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsISO8601,
  IsString,
  MaxLength,
} from 'class-validator';
import { Optional, Text, WholeNumber } from '../../../../common/platform/http/dto/validators.js';
import { scopes, type Scope } from '../../scope.js';

@ApiSchema({ name: 'CreateApiKey' })
export class CreateApiKeyDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: 100, example: 'nightly import' })
  @Text({ min: 1, max: 100 })
  name: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...scopes] },
    minItems: 1,
    uniqueItems: true,
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(scopes, { each: true })
  scopes: Scope[];

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    required: false,
    maxItems: 100,
    description: 'Limits the key to these projects.',
  })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(100, { each: true })
  projectIds?: string[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    required: false,
    description: 'Left out, the key does not expire.',
  })
  @Optional()
  @IsISO8601({ strict: true, strictSeparator: true })
  expiresAt?: string;
}

@ApiSchema({ name: 'RotateApiKey' })
export class RotateApiKeyDto {
  @ApiProperty({
    type: 'integer',
    required: false,
    minimum: 0,
    maximum: 604_800,
    default: 86_400,
    description: 'Seconds for which the former secret stays good.',
  })
  @Optional()
  @WholeNumber({ min: 0, max: 604_800 })
  graceSeconds?: number;
}
