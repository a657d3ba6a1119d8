import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CurrentIdentity, type Identity, Operation } from '../access/index.js';
import { OrganizationListDto } from './dto/organization.dto.js';
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
    return {
      items: memberships
        .filter(({ organization }) => identity.boundTo === null || identity.boundTo === organization.id)
        .map(({ organization: { id, name, createdAt }, role }) => ({
          id,
          name,
          role,
          createdAt: createdAt.toISOString(),
        })),
    };
  }
}
