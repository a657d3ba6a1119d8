import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  actorOf,
  administrators,
  Auth,
  type AuthContext,
  ChangeOperation,
  IfMatch,
  Operation,
} from '../../access/index.js';
import { CollaboratorDto, CollaboratorListDto, GrantAccessDto } from '../dto/project.dto.js';
import type { Collaborator } from '../organization.js';
import { CollaboratorsService } from './collaborators.service.js';

const rule = { needs: 'workspace', roles: administrators, scope: 'admin:*' } as const;
const unknown = { 404: 'No such project in this workspace, or no such collaborator.' } as const;

@ApiTags('Projects')
@Controller('v1/api/projects/:projectId/collaborators')
export class CollaboratorsController {
  constructor(private readonly collaborators: CollaboratorsService) {}

  @Operation({
    id: 'listCollaborators',
    summary: 'List the collaborators of a project',
    errors: unknown,
    ...rule,
  })
  @ApiOkResponse({ type: CollaboratorListDto, description: 'Longest-standing first.' })
  @Get()
  async list(@Auth() auth: AuthContext, @Param('projectId') projectId: string): Promise<CollaboratorListDto> {
    return { items: (await this.collaborators.list(auth.organizationId, projectId)).map(present) };
  }

  @ChangeOperation({
    id: 'grantAccess',
    summary: 'Let a collaborator of the workspace into a project, or change how far',
    description: 'For people the workspace knows; somebody new is let in with an invitation.',
    hasBody: true,
    errors: { ...unknown, 409: 'The person is a member of the workspace.' },
    ...rule,
  })
  @ApiOkResponse({ type: CollaboratorDto, description: 'The collaborator.' })
  @Put(':userId')
  async grant(
    @Auth() auth: AuthContext,
    @Param('projectId') projectId: string,
    @Param('userId') userId: string,
    @IfMatch() revision: number | null,
    @Body() { access }: GrantAccessDto,
  ): Promise<CollaboratorDto> {
    const place = { organizationId: auth.organizationId, projectId, userId };
    return present(await this.collaborators.regrant(place, access, revision, actorOf(auth)));
  }

  @ChangeOperation({
    id: 'removeCollaborator',
    summary: 'Shut a collaborator out of a project',
    errors: unknown,
    ...rule,
  })
  @ApiOkResponse({ type: CollaboratorDto, description: 'The collaborator as it was.' })
  @Delete(':userId')
  async remove(
    @Auth() auth: AuthContext,
    @Param('projectId') projectId: string,
    @Param('userId') userId: string,
    @IfMatch() revision: number | null,
  ): Promise<CollaboratorDto> {
    const place = { organizationId: auth.organizationId, projectId, userId };
    return present(await this.collaborators.remove(place, revision, actorOf(auth)));
  }
}

function present({ createdAt, ...collaborator }: Collaborator): CollaboratorDto {
  return { ...collaborator, createdAt: createdAt.toISOString() };
}
