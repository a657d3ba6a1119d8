import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PageLimit } from '../../../common/platform/http/dto/page-limit.js';
import { Optional, Text } from '../../../common/platform/http/dto/validators.js';

export class ListAuditLogQuery {
  @ApiProperty({
    type: String,
    required: false,
    description: 'Only entries of this action.',
    example: 'apiKey.create',
  })
  @Optional()
  @Text({ min: 1, max: 100 })
  action?: string;

  @PageLimit()
  limit?: string;

  @ApiProperty({ type: String, required: false, description: 'Opaque nextCursor from the previous page.' })
  @Optional()
  @Text({ max: 1_000 })
  cursor?: string;
}

@ApiSchema({ name: 'AuditEntry', description: 'Who did what, to what, from where. Never with a secret.' })
export class AuditEntryDto {
  @ApiProperty({ type: String }) id: string;
  @ApiProperty({ type: String, nullable: true }) organizationId: string | null;
  @ApiProperty({ type: String, example: 'apiKey.create' }) action: string;
  @ApiProperty({ type: String, enum: ['user', 'apiKey', 'task', 'operator'] }) actorType: string;
  @ApiProperty({ type: String, description: 'Public id of the credential, or the user’s id for a session.' })
  actorId: string;
  @ApiProperty({ type: String, nullable: true, description: 'The person behind the credential.' })
  userId: string | null;
  @ApiProperty({ type: String, description: 'Id of what was changed.' }) target: string;
  @ApiProperty({ type: 'object', additionalProperties: true, example: { name: 'nightly import' } })
  details: Record<string, unknown>;
  @ApiProperty({ type: String, nullable: true, description: 'Client address.', example: '192.0.2.1' })
  address: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'X-Request-Id of the request.' })
  requestId: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt: string;
}

@ApiSchema({ name: 'AuditLog' })
export class AuditLogDto {
  @ApiProperty({ type: [AuditEntryDto] }) items: AuditEntryDto[];
  @ApiProperty({ type: String, nullable: true, description: 'null: there are no more.' })
  nextCursor: string | null;
}
