import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  administrators,
  Auth,
  type AuthContext,
  ChangeOperation,
  IfMatch,
  Operation,
  roles,
} from '../../access/index.js';
import { NameProjectDto, ProjectDto, ProjectListDto } from '../dto/project.dto.js';
import type { Project } from '../organization.js';
import { ProjectsService } from './projects.service.js';

const unknown = { 404: 'No such project in this workspace.' } as const;
const taken = { 409: 'The workspace has a project of this name.' } as const;
const reading = { needs: 'workspace', roles, scope: 'tools:read' } as const;
const changing = { needs: 'workspace', roles: administrators, scope: 'admin:*' } as const;

@ApiTags('Projects')
@Controller('v1/api/projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Operation({ id: 'listProjects', summary: 'List the projects of the workspace', ...reading })
  @ApiOkResponse({
    type: ProjectListDto,
    description: 'The projects the caller has access to, oldest first.',
  })
  @Get()
  async list(@Auth() auth: AuthContext): Promise<ProjectListDto> {
    return { items: (await this.projects.list(auth)).map(present) };
  }

  @Operation({ id: 'createProject', summary: 'Create a project', hasBody: true, errors: taken, ...changing })
  @ApiCreatedResponse({ type: ProjectDto, description: 'The new project.' })
  @Post()
  async create(@Auth() auth: AuthContext, @Body() { name }: NameProjectDto): Promise<ProjectDto> {
    return present(await this.projects.create(auth, name));
  }

  @Operation({ id: 'getProject', summary: 'Read a project', errors: unknown, ...reading })
  @ApiOkResponse({ type: ProjectDto, description: 'The project.' })
  @Get(':projectId')
  async read(@Auth() auth: AuthContext, @Param('projectId') id: string): Promise<ProjectDto> {
    return present(await this.projects.read(auth, id));
  }

  @ChangeOperation({
    id: 'renameProject',
    summary: 'Rename a project',
    hasBody: true,
    errors: { ...unknown, ...taken },
    ...changing,
  })
  @ApiOkResponse({ type: ProjectDto, description: 'The project with its new name.' })
  @Patch(':projectId')
  async rename(
    @Auth() auth: AuthContext,
    @Param('projectId') id: string,
    @IfMatch() revision: number | null,
    @Body() { name }: NameProjectDto,
  ): Promise<ProjectDto> {
    return present(await this.projects.rename(auth, id, name, revision));
  }

  @ChangeOperation({
    id: 'removeProject',
    summary: 'Remove a project',
    description: 'Its calls are kept, and keep its id; collaborators lose their access.',
    errors: unknown,
    ...changing,
  })
  @ApiOkResponse({ type: ProjectDto, description: 'The project as it was.' })
  @Delete(':projectId')
  async remove(
    @Auth() auth: AuthContext,
    @Param('projectId') id: string,
    @IfMatch() revision: number | null,
  ): Promise<ProjectDto> {
    return present(await this.projects.remove(auth, id, revision));
  }
}

function present({ createdAt, ...project }: Project): ProjectDto {
  return { ...project, createdAt: createdAt.toISOString() };
}
