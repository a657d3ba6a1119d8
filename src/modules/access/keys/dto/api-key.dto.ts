import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { scopes } from '../../scope.js';

const time = { type: String, format: 'date-time', nullable: true } as const;

@ApiSchema({ name: 'ApiKey', description: 'An API key, without its secret.' })
export class ApiKeyDto {
  @ApiProperty({ type: String, description: 'The public part of the key.', example: 'Ab3dE6gH' }) id: string;
  @ApiProperty({ type: String }) organizationId: string;
  @ApiProperty({ type: String, description: 'Whose membership the key stands on.' }) userId: string;
  @ApiProperty({ type: String, example: 'nightly import' }) name: string;
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...scopes] } }) scopes: string[];
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    description: 'Projects the key is limited to; null: all.',
  })
  projectIds: string[] | null;
  @ApiProperty({ ...time, description: 'From then on the key is refused.' }) expiresAt: string | null;
  @ApiProperty({ ...time }) revokedAt: string | null;
  @ApiProperty({ ...time, description: 'Written at most once a minute.' }) lastUsedAt: string | null;
  @ApiProperty({ ...time, description: 'Until when the secret before the last rotation is good.' })
  previousUntil: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt: string;
  @ApiProperty({ type: 'integer', example: 1, description: 'For If-Match.' }) revision: number;
}

@ApiSchema({ name: 'ApiKeyList' })
export class ApiKeyListDto {
  @ApiProperty({ type: [ApiKeyDto] }) items: ApiKeyDto[];
}

@ApiSchema({ name: 'ApiKeyWithSecret', description: 'A new or rotated key. Its secret is shown this once.' })
export class ApiKeyWithSecretDto extends ApiKeyDto {
  @ApiProperty({
    type: String,
    description: 'The whole key, for the header x-api-key.',
    example: 'hlx_sk_Ab3dE6gH_00000000000000000000000000000000000000',
  })
  apiKey: string;
}
