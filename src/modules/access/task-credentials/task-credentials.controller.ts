import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Auth } from '../auth.decorator.js';
import type { AuthContext } from '../auth-context.js';
import { ChangeOperation } from '../change-operation.decorator.js';
import { Operation } from '../operation.decorator.js';
import { IfMatch } from '../revision.js';
import { administrators } from '../scope.js';
import {
  CreateTaskCredentialDto,
  TaskCredentialDto,
  TaskCredentialListDto,
  TaskCredentialWithSecretDto,
} from './dto/task-credential.dto.js';
import type { TaskCredential } from './task-credential.js';
import { TaskCredentialsService } from './task-credentials.service.js';

const rule = { needs: 'workspace', roles: administrators, scope: 'admin:*' } as const;

@ApiTags('Access')
@Controller('v1/api/task-credentials')
export class TaskCredentialsController {
  constructor(private readonly credentials: TaskCredentialsService) {}

  @Operation({ id: 'listTaskCredentials', summary: 'List the task credentials of the workspace', ...rule })
  @ApiOkResponse({ type: TaskCredentialListDto, description: 'Newest first, ended ones included.' })
  @Get()
  async list(@Auth() auth: AuthContext): Promise<TaskCredentialListDto> {
    return { items: (await this.credentials.list(auth.organizationId)).map(present) };
  }

  @Operation({
    id: 'createTaskCredential',
    summary: 'Create a credential for one task',
    description:
      'For an agent: the operations named, in one project, until it expires. Whatever else it asks for is 404. It is ' +
      'sent in x-api-key like an API key.',
    hasBody: true,
    ...rule,
  })
  @ApiCreatedResponse({
    type: TaskCredentialWithSecretDto,
    description: 'The credential; its secret is shown this once.',
  })
  @Post()
  async create(
    @Auth() auth: AuthContext,
    @Body() body: CreateTaskCredentialDto,
  ): Promise<TaskCredentialWithSecretDto> {
    const { toolIds = null, expiresAt, ...draft } = body;
    const minted = await this.credentials.create(auth, { ...draft, toolIds, expiresAt: new Date(expiresAt) });
    return { ...present(minted), apiKey: minted.secret };
  }

  @ChangeOperation({
    id: 'revokeTaskCredential',
    summary: 'Revoke a task credential',
    errors: { 404: 'There is no such task credential in this workspace.' },
    ...rule,
  })
  @ApiOkResponse({ type: TaskCredentialDto, description: 'It was revoked; its next request is refused.' })
  @Delete(':credentialId')
  async revoke(
    @Auth() auth: AuthContext,
    @Param('credentialId') id: string,
    @IfMatch() revision: number | null,
  ): Promise<TaskCredentialDto> {
    return present(await this.credentials.revoke(auth, id, revision));
  }
}

function present({ key, limit }: TaskCredential) {
  return {
    id: key.id,
    organizationId: key.organizationId,
    userId: key.userId,
    name: key.name,
    operations: [...(key.operations ?? [])],
    toolIds: key.toolIds && [...key.toolIds],
    projectId: key.projectIds?.[0] ?? null,
    maxSpendMicros: limit?.limitMicros ?? null,
    spentMicros: limit?.usedMicros ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    revision: key.revision,
  } satisfies TaskCredentialDto;
}
