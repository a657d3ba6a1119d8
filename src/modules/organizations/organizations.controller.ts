import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  actorOf,
  administrators,
  Auth,
  type AuthContext,
  ChangeOperation,
  CurrentIdentity,
  type Identity,
  IfMatch,
  Operation,
  type Role,
  roles,
} from '../access/index.js';
import { NameOrganizationDto, OrganizationDto, OrganizationListDto } from './dto/organization.dto.js';
import type { Membership, Organization } from './organization.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller('v1/api/organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

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
