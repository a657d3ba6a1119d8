import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EmailAddress, Optional, Text } from '../../../common/platform/http/dto/validators.js';
import { longestPassword, shortestPassword } from '../../access/index.js';

@ApiSchema({ name: 'Setup' })
export class SetupDto {
  @ApiProperty({ type: String, description: 'The one-time token of the log.' })
  @Text({ min: 1, max: 200 })
  token: string;

  @ApiProperty({ type: String, required: false, minLength: 1, maxLength: 100, default: 'My workspace' })
  @Optional()
  @Text({ min: 1, max: 100 })
  organizationName?: string;

  @ApiProperty({ type: String, required: false, minLength: 1, maxLength: 100, default: 'Owner' })
  @Optional()
  @Text({ min: 1, max: 100 })
  ownerName?: string;

  @ApiProperty({ type: String, required: false, maxLength: 254, default: 'owner@localhost' })
  @Optional()
  @EmailAddress()
  ownerEmail?: string;

  @ApiProperty({
    type: String,
    format: 'password',
    required: false,
    minLength: shortestPassword,
    maxLength: longestPassword,
    description: 'Left out, one is made and shown in the answer.',
  })
  @Optional()
  @Text({ min: shortestPassword, max: longestPassword })
  ownerPassword?: string;
}

@ApiSchema({
  name: 'SetupResult',
  description: 'The first workspace and its first API key, shown this once.',
})
export class SetupResultDto {
  @ApiProperty({ type: String, format: 'uri' }) apiUrl: string;
  @ApiProperty({ type: String }) organizationId: string;
  @ApiProperty({ type: String, example: 'hlx_sk_Ab3dE6gH_00000000000000000000000000000000000000' })
  apiKey: string;
  @ApiProperty({ type: String, example: 'owner@localhost', description: 'For the login in a browser.' })
  email: string;
  @ApiProperty({ type: String, nullable: true, description: 'null where the request chose one.' })
  password: string | null;
}
