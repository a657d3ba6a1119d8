import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Text } from '../../../common/platform/http/dto/validators.js';
import { roles } from '../../access/index.js';

@ApiSchema({ name: 'Organization', description: 'A workspace the caller may act in.' })
export class OrganizationDto {
  @ApiProperty({ type: String, description: 'For the header X-Organization-Id.' }) id: string;
  @ApiProperty({ type: String, example: 'My workspace' }) name: string;
  @ApiProperty({ type: String, enum: [...roles] }) role: string;
  @ApiProperty({ type: 'integer', example: 1, description: 'For If-Match.' }) revision: number;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt: string;
}

@ApiSchema({ name: 'OrganizationList' })
export class OrganizationListDto {
  @ApiProperty({ type: [OrganizationDto] }) items: OrganizationDto[];
}

@ApiSchema({ name: 'NameOrganization' })
export class NameOrganizationDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: 100, example: 'My workspace' })
  @Text({ min: 1, max: 100 })
  name: string;
}
