import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { administrators, Auth, type AuthContext, Operation } from '../access/index.js';
import { CreateProjectDto, ProjectDto, ProjectListDto } from './dto/organization.dto.js';
import type { Project } from './organization.js';
import { ProjectsService } from './projects.service.js';

@ApiTags('Organizations')
@Controller('v1/api/projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Operation({
    id: 'listProjects',
    summary: 'List the projects of the workspace',
    needs: 'workspace',
    scope: 'tools:read',
  })
  @ApiOkResponse({
    type: ProjectListDto,
    description: 'The projects the caller has access to, oldest first.',
  })
  @Get()
  async list(@Auth() auth: AuthContext): Promise<ProjectListDto> {
    return { items: (await this.projects.list(auth)).map(present) };
  }

  @Operation({
    id: 'createProject',
    summary: 'Create a project',
    needs: 'workspace',
    scope: 'admin:*',
    roles: administrators,
    hasBody: true,
    errors: { 409: 'The workspace has a project of this name.' },
  })
  @ApiCreatedResponse({ type: ProjectDto, description: 'The new project.' })
  @Post()
  async create(@Auth() auth: AuthContext, @Body() body: CreateProjectDto): Promise<ProjectDto> {
    return present(await this.projects.create(auth.organizationId, body.name));
  }
}

function present({ id, organizationId, name, createdAt }: Project): ProjectDto {
  return { id, organizationId, name, createdAt: createdAt.toISOString() };
}
