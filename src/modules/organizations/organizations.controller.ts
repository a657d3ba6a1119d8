import { Body, Controller, Get, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { headersNamed } from '../../common/platform/http/openapi/answer-headers.js';
import {
  actorBehind,
  actorOf,
  administrators,
  Auth,
  type AuthContext,
  ChangeOperation,
  CurrentIdentity,
  type Identity,
  IfMatch,
  Operation,
  presentSession,
  type Role,
  roles,
  SessionDto,
  SessionsService,
} from '../access/index.js';
import { NameOrganizationDto, OrganizationDto, OrganizationListDto } from './dto/organization.dto.js';
import type { Membership, Organization } from './organization.js';
import { OrganizationsService } from './organizations.service.js';

const ofPerson = { needs: 'identity', session: 'any' } as const;

@ApiTags('Organizations')
@Controller('v1/api/organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly sessions: SessionsService,
  ) {}

  @Operation({
    id: 'listOrganizations',
    summary: 'List the workspaces the caller may act in',
    needs: 'identity',
  })
  @ApiOkResponse({ type: OrganizationListDto, description: 'For an API key: the one it is bound to.' })
  @Get()
  async list(@CurrentIdentity() identity: Identity): Promise<OrganizationListDto> {
    const memberships = await this.organizations.membershipsOf(identity.userId);
    const isReached = ({ organization }: Membership) =>
      identity.boundTo === null || identity.boundTo === organization.id;
    return {
      items: memberships.filter(isReached).map(({ organization, role }) => present(organization, role)),
    };
  }

  @Operation({
    id: 'createOrganization',
    summary: 'Create a workspace',
    description:
      'Its owner is the person of the session, which does not move there: see activateOrganization.',
    hasBody: true,
    ...ofPerson,
  })
  @ApiCreatedResponse({ type: OrganizationDto, description: 'The new workspace.' })
  @Post()
  async create(
    @CurrentIdentity() identity: Identity,
    @Req() { ip = '' }: Request,
    @Body() { name }: NameOrganizationDto,
  ): Promise<OrganizationDto> {
    const actor = actorBehind(identity, ip);
    return present(await this.organizations.createFor(identity.userId, name, actor), 'owner');
  }

  @Operation({
    id: 'ensurePersonalOrganization',
    summary: 'Find or make the personal workspace',
    description: 'Needs no active workspace; makes the personal one active where the session has none.',
    ...ofPerson,
  })
  @ApiOkResponse({
    type: OrganizationDto,
    description: 'The personal workspace was there.',
    headers: headersNamed('Set-Cookie'),
  })
  @ApiCreatedResponse({
    type: OrganizationDto,
    description: 'The personal workspace was made.',
    headers: headersNamed('Set-Cookie'),
  })
  @Post('personal')
  async personal(
    @CurrentIdentity() identity: Identity,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OrganizationDto> {
    const actor = actorBehind(identity, request.ip ?? null);
    const { organization, isNew } = await this.organizations.personalOf(identity.userId, actor);
    if (identity.defaultOrganizationId === null) await this.sessions.activate(request, organization.id);
    response.status(isNew ? 201 : 200);
    return present(organization, 'owner');
  }

  @Operation({
    id: 'activateOrganization',
    summary: 'Act in another workspace from now on',
    description: 'For requests of this session that name none in X-Organization-Id.',
    errors: { 403: 'Not a member of the workspace, or the caller is an API key.' },
    ...ofPerson,
  })
  @ApiOkResponse({
    type: SessionDto,
    description: 'The session with its active workspace.',
    headers: headersNamed('Set-Cookie'),
  })
  @Post(':organizationId/activate')
  @HttpCode(200)
  async activate(@Req() request: Request, @Param('organizationId') id: string): Promise<SessionDto> {
    return presentSession(await this.sessions.activate(request, id));
  }

  @Operation({
    id: 'getOrganization',
    summary: 'Read the workspace of the request',
    needs: 'workspace',
    roles,
  })
  @ApiOkResponse({ type: OrganizationDto, description: 'The workspace, with the role of the caller.' })
  @Get('current')
  async read(@Auth() auth: AuthContext): Promise<OrganizationDto> {
    return present(await this.organizations.read(auth.organizationId), auth.role);
  }

  @ChangeOperation({
    id: 'renameOrganization',
    summary: 'Rename the workspace of the request',
    needs: 'workspace',
    roles: administrators,
    scope: 'admin:*',
    hasBody: true,
  })
  @ApiOkResponse({ type: OrganizationDto, description: 'The workspace with its new name.' })
  @Patch('current')
  async rename(
    @Auth() auth: AuthContext,
    @IfMatch() revision: number | null,
    @Body() { name }: NameOrganizationDto,
  ): Promise<OrganizationDto> {
    const renamed = await this.organizations.rename(auth.organizationId, name, revision, actorOf(auth));
    return present(renamed, auth.role);
  }
}

function present({ id, name, revision, createdAt }: Organization, role: Role): OrganizationDto {
  return { id, name, role, revision, createdAt: createdAt.toISOString() };
}
