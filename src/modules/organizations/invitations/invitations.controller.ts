import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { validationFailed } from '../../../common/platform/http/json/json-text.js';
import { administrators, Auth, type AuthContext, Operation, SessionsService } from '../../access/index.js';
import {
  AcceptedInvitationDto,
  AcceptInvitationDto,
  InvitationDto,
  InvitationListDto,
  InviteDto,
  SentInvitationDto,
} from '../dto/invitation.dto.js';
import type { Invitation } from './invitation.js';
import { InvitationsService } from './invitations.service.js';

const rule = { needs: 'workspace', roles: administrators, scope: 'admin:*' } as const;

@ApiTags('Members')
@Controller('v1/api/invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly sessions: SessionsService,
  ) {}

  @Operation({ id: 'listInvitations', summary: 'List the open invitations', ...rule })
  @ApiOkResponse({ type: InvitationListDto, description: 'Those that can still be accepted, oldest first.' })
  @Get()
  async list(@Auth() auth: AuthContext): Promise<InvitationListDto> {
    return { items: (await this.invitations.list(auth.organizationId)).map(present) };
  }

  @Operation({
    id: 'invite',
    summary: 'Invite a person into the workspace, or into one project',
    description: 'Pass the token on to the person; it is shown this once, works once, and for seven days.',
    hasBody: true,
    errors: { 404: 'No such project in this workspace.' },
    ...rule,
  })
  @ApiCreatedResponse({ type: SentInvitationDto, description: 'The invitation with its token.' })
  @Post()
  async send(@Auth() auth: AuthContext, @Body() body: InviteDto): Promise<SentInvitationDto> {
    const { email, role, projectId = null, access = null } = body;
    checkPlace(body);
    const { invitation, token } = await this.invitations.send(auth, { email, role, projectId, access });
    return { ...present(invitation), token };
  }

  @Operation({
    id: 'revokeInvitation',
    summary: 'Revoke an invitation',
    errors: { 404: 'There is no such invitation, or it was accepted.' },
    ...rule,
  })
  @ApiOkResponse({ type: InvitationDto, description: 'The invitation as it was.' })
  @Delete(':invitationId')
  async revoke(@Auth() auth: AuthContext, @Param('invitationId') id: string): Promise<InvitationDto> {
    return present(await this.invitations.revoke(auth, id));
  }

  @Operation({
    id: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'With a browser session: for its person, whose address must be the invited one. Without: makes an account with ' +
      'name and password; log in afterwards.',
    needs: 'public',
    hasBody: true,
    errors: {
      403: 'A page of another site made the request.',
      404: 'There is no such invitation, or it was used or has expired.',
      409: 'The address has an account: log in first. Or the person belongs to the workspace already.',
    },
  })
  @ApiOkResponse({ type: AcceptedInvitationDto, description: 'The person belongs to the workspace now.' })
  @Post('accept')
  @HttpCode(200)
  async accept(@Req() request: Request, @Body() body: AcceptInvitationDto): Promise<AcceptedInvitationDto> {
    const { token, name, password } = body;
    const person = await this.sessions.personOf(request);
    const who = { person, account: { name, password } };
    const { organizationId, email, role, projectId } = await this.invitations.accept(
      token,
      who,
      request.ip ?? '',
    );
    return { organizationId, email, role, projectId };
  }
}

/** A collaborator belongs to one project, a member to all of them. */
function checkPlace({ role, projectId, access }: InviteDto): void {
  const isCollaborator = role === 'collaborator';
  const problems = Object.entries({ projectId, access })
    .filter(([, value]) => (value === undefined) === isCollaborator)
    .map(([name]) => ({
      path: `/${name}`,
      code: isCollaborator ? 'required' : 'not_allowed',
      message: isCollaborator
        ? `${name} is required for a collaborator.`
        : `${name} is for collaborators only.`,
    }));
  if (problems.length > 0) throw validationFailed(problems);
}

function present({ expiresAt, createdAt, ...invitation }: Invitation) {
  const times = { expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() };
  return { ...invitation, ...times } satisfies InvitationDto;
}
