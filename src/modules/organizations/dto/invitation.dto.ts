import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { EmailAddress, Optional, Text } from '../../../common/platform/http/dto/validators.js';
import {
  longestPassword,
  type ProjectAccess,
  projectAccesses,
  type Role,
  roles,
  shortestPassword,
} from '../../access/index.js';

@ApiSchema({ name: 'Invite' })
export class InviteDto {
  @ApiProperty({ type: String, maxLength: 254, example: 'max@example.com' })
  @EmailAddress()
  email: string;

  @ApiProperty({ type: String, enum: [...roles], example: 'member' })
  @IsIn(roles)
  role: Role;

  @ApiProperty({ type: String, required: false, description: 'The project a collaborator is let into.' })
  @Optional()
  @Text({ min: 1, max: 100 })
  projectId?: string;

  @ApiProperty({
    type: String,
    required: false,
    enum: [...projectAccesses],
    description: 'Of a collaborator.',
  })
  @Optional()
  @IsIn(projectAccesses)
  access?: ProjectAccess;
}

@ApiSchema({ name: 'Invitation' })
export class InvitationDto {
  @ApiProperty({ type: String }) id: string;
  @ApiProperty({ type: String }) organizationId: string;
  @ApiProperty({ type: String, example: 'max@example.com' }) email: string;
  @ApiProperty({ type: String, enum: [...roles] }) role: Role;
  @ApiProperty({ type: String, nullable: true }) projectId: string | null;
  @ApiProperty({ type: String, enum: [...projectAccesses, null], nullable: true })
  access: ProjectAccess | null;
  @ApiProperty({ type: String, description: 'The person who invites.' }) invitedBy: string;
  @ApiProperty({ type: String, format: 'date-time' }) expiresAt: string;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt: string;
}

@ApiSchema({ name: 'InvitationList' })
export class InvitationListDto {
  @ApiProperty({ type: [InvitationDto] }) items: InvitationDto[];
}

@ApiSchema({ name: 'SentInvitation', description: 'A new invitation. Its token is shown this once.' })
export class SentInvitationDto extends InvitationDto {
  @ApiProperty({ type: String, description: 'For acceptInvitation.' }) token: string;
}

@ApiSchema({ name: 'AcceptInvitation' })
export class AcceptInvitationDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: 200 })
  @Text({ min: 1, max: 200 })
  token: string;

  @ApiProperty({
    type: String,
    required: false,
    minLength: 1,
    maxLength: 100,
    description: 'Of a new account.',
  })
  @Optional()
  @Text({ min: 1, max: 100 })
  name?: string;

  @ApiProperty({
    type: String,
    format: 'password',
    required: false,
    minLength: shortestPassword,
    maxLength: longestPassword,
    description: 'Of a new account.',
  })
  @Optional()
  @Text({ min: shortestPassword, max: longestPassword })
  password?: string;
}

@ApiSchema({ name: 'AcceptedInvitation' })
export class AcceptedInvitationDto {
  @ApiProperty({ type: String }) organizationId: string;
  @ApiProperty({ type: String }) email: string;
  @ApiProperty({ type: String, enum: [...roles] }) role: Role;
  @ApiProperty({ type: String, nullable: true }) projectId: string | null;
}
