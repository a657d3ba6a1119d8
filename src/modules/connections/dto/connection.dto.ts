import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { HeaderText, Text } from '../../../common/platform/http/dto/validators.js';

const bearerToken = /^[\x21-\x7e]+$/;
const time = { type: String, format: 'date-time', nullable: true } as const;

@ApiSchema({ name: 'ToolConnection', description: 'Credential presence, never the token.' })
export class ToolConnectionDto {
  @ApiProperty({ type: String, description: '`treg`, or `mcp:` and the name of a source.', example: 'treg' })
  provider: string;
  @ApiProperty({ type: Boolean }) configured: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The organization at the upstream; empty where the token carries it.',
  })
  organizationId: string | null;
  @ApiProperty({ type: String, enum: ['not_configured', 'saved', 'verified', 'rejected', 'unreadable'] })
  status: string;
  @ApiProperty({ ...time }) lastVerifiedAt: Date | null;
  @ApiProperty({ ...time }) lastUsedAt: Date | null;
  @ApiProperty({ ...time }) createdAt: Date | null;
  @ApiProperty({ ...time }) updatedAt: Date | null;
  @ApiProperty({ type: String, nullable: true, description: 'Who saved it.' }) updatedBy: string | null;
}

@ApiSchema({ name: 'SaveToolConnection' })
export class SaveToolConnectionDto {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: 10_000,
    writeOnly: true,
    description: 'The Treg token. It is encrypted and never shown again.',
    example: 'treg-token-of-your-team',
  })
  @Text({ min: 1, max: 10_000 })
  @HeaderText()
  apiKey: string;

  @ApiProperty({
    type: String,
    maxLength: 40,
    description: 'The team at Treg; empty where the token belongs to one team.',
    example: '',
  })
  @Text({ max: 40 })
  @HeaderText()
  organizationId: string;
}

@ApiSchema({ name: 'SaveMcpConnection' })
export class SaveMcpConnectionDto {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: 10_000,
    pattern: bearerToken.source,
    writeOnly: true,
    description: 'The token that goes out as "Authorization: Bearer". It is encrypted and never shown again.',
    example: 'token-of-your-workspace',
  })
  @Text({ min: 1, max: 10_000 })
  @Matches(bearerToken, { message: 'must be a token in one word' })
  apiKey: string;
}
