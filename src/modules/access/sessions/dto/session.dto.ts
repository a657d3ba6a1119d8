import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Text } from '../../../../common/platform/http/dto/validators.js';
import { longestPassword, shortestPassword } from '../passwords.js';

@ApiSchema({ name: 'Login' })
export class LoginDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: 254, example: 'ann@example.com' })
  @Text({ min: 1, max: 254 })
  email: string;

  @ApiProperty({
    type: String,
    format: 'password',
    minLength: 1,
    maxLength: longestPassword,
    example: 'correct horse battery',
  })
  @Text({ min: 1, max: longestPassword })
  password: string;
}

@ApiSchema({ name: 'ChangePassword' })
export class ChangePasswordDto {
  @ApiProperty({ type: String, format: 'password', minLength: 1, maxLength: longestPassword })
  @Text({ min: 1, max: longestPassword })
  currentPassword: string;

  @ApiProperty({ type: String, format: 'password', minLength: shortestPassword, maxLength: longestPassword })
  @Text({ min: shortestPassword, max: longestPassword })
  newPassword: string;
}

@ApiSchema({ name: 'SessionUser' })
class SessionUserDto {
  @ApiProperty({ type: String }) id: string;
  @ApiProperty({ type: String, example: 'Ann Example' }) name: string;
  @ApiProperty({ type: String, nullable: true, example: 'ann@example.com' }) email: string | null;
  @ApiProperty({ type: Boolean, description: 'Whether the address was proved; some actions ask for that.' })
  isVerified: boolean;
}

@ApiSchema({ name: 'Session', description: 'A browser session.' })
export class SessionDto {
  @ApiProperty({ type: SessionUserDto }) user: SessionUserDto;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where requests act that name no workspace in X-Organization-Id.',
  })
  activeOrganizationId: string | null;
  @ApiProperty({ type: String, enum: ['password', 'oidc'], description: 'How the person logged in.' })
  method: string;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt: string;
  @ApiProperty({ type: String, format: 'date-time' }) expiresAt: string;
}

@ApiSchema({ name: 'Me', description: 'The person behind the credential of the request.' })
export class MeDto {
  @ApiProperty({ type: String, enum: ['session', 'apiKey', 'task'] }) credential: string;
  @ApiProperty({ type: String }) id: string;
  @ApiProperty({ type: String, example: 'Ann Example' }) name: string;
  @ApiProperty({ type: String, nullable: true, example: 'ann@example.com' }) email: string | null;
  @ApiProperty({ type: Boolean }) isVerified: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The workspace a key is bound to, or the active one of a session.',
  })
  organizationId: string | null;
}
