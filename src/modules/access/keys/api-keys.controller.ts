import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { actorOf } from '../actor.js';
import { Auth } from '../auth.decorator.js';
import type { AuthContext } from '../auth-context.js';
import { Operation } from '../operation.decorator.js';
import { ChangeOperation } from '../change-operation.decorator.js';
import { IfMatch } from '../revision.js';
import { administrators, type Scope } from '../scope.js';
import { ApiKeysService } from './api-keys.service.js';
import type { ApiKey, MintedApiKey } from './api-key.js';
import { ApiKeyDto, ApiKeyListDto, ApiKeyWithSecretDto } from './dto/api-key.dto.js';
import { CreateApiKeyDto, RotateApiKeyDto } from './dto/create-api-key.dto.js';

const unknownKey = { 404: 'There is no such API key in this workspace.' } as const;
const rule = { needs: 'workspace', roles: administrators, scope: 'admin:*' } as const;

@ApiTags('Access')
@Controller('v1/api/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Operation({ id: 'listApiKeys', summary: 'List the API keys of the workspace', ...rule })
  @ApiOkResponse({ type: ApiKeyListDto, description: 'Newest first, revoked ones included.' })
  @Get()
  async list(@Auth() auth: AuthContext): Promise<ApiKeyListDto> {
    return { items: (await this.keys.list(auth.organizationId)).map(present) };
  }

  @Operation({
    id: 'createApiKey',
    summary: 'Create an API key',
    description:
      'For people with a browser session; a key makes no keys, so that a stolen one can be stopped.',
    hasBody: true,
    session: 'verified',
    ...rule,
  })
  @ApiCreatedResponse({ type: ApiKeyWithSecretDto, description: 'The key; its secret is shown this once.' })
  @Post()
  async create(@Auth() auth: AuthContext, @Body() body: CreateApiKeyDto): Promise<ApiKeyWithSecretDto> {
    const draft = {
      organizationId: auth.organizationId,
      userId: auth.identity.userId,
      name: body.name,
      scopes: body.scopes,
      projectIds: body.projectIds ?? null,
      expiresAt: body.expiresAt === undefined ? null : new Date(body.expiresAt),
    };
    return presentMinted(await this.keys.create(draft, actorOf(auth)));
  }

  @Operation({ id: 'getApiKey', summary: 'Read an API key, never its secret', errors: unknownKey, ...rule })
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key.' })
  @Get(':keyId')
  async read(@Auth() auth: AuthContext, @Param('keyId') id: string): Promise<ApiKeyDto> {
    return present(await this.keys.read(auth.organizationId, id));
  }

  @ChangeOperation({
    id: 'rotateApiKey',
    summary: 'Give an API key a new secret',
    description: 'Only the person whom the key stands on may: whoever has the secret acts as that person.',
    hasBody: true,
    errors: unknownKey,
    ...rule,
  })
  @ApiOkResponse({ type: ApiKeyWithSecretDto, description: 'The key with its new secret, shown this once.' })
  @Post(':keyId/rotate')
  @HttpCode(200)
  async rotate(
    @Auth() auth: AuthContext,
    @Param('keyId') id: string,
    @IfMatch() revision: number | null,
    @Body() { graceSeconds = 86_400 }: RotateApiKeyDto,
  ): Promise<ApiKeyWithSecretDto> {
    const key = await this.keys.read(auth.organizationId, id);
    if (key.userId !== auth.identity.userId)
      throw new HelixError(
        'ACCESS.INSUFFICIENT_ROLE',
        'Only the person whom the key stands on may rotate it.',
      );
    refuseMoreThanOwn(auth, key.scopes);
    const how = { graceSeconds, revision };
    return presentMinted(await this.keys.rotate(auth.organizationId, id, how, actorOf(auth)));
  }

  @ChangeOperation({ id: 'revokeApiKey', summary: 'Revoke an API key', errors: unknownKey, ...rule })
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key was revoked; its next request is refused.' })
  @Delete(':keyId')
  async revoke(
    @Auth() auth: AuthContext,
    @Param('keyId') id: string,
    @IfMatch() revision: number | null,
  ): Promise<ApiKeyDto> {
    return present(await this.keys.revoke(auth.organizationId, id, revision, actorOf(auth)));
  }
}

/** A key cannot get hold of a secret that may do what it may not do itself; people may do all that their role allows. */
function refuseMoreThanOwn(auth: AuthContext, scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => auth.identity.scopes?.has(scope) === false);
  if (missing === undefined) return;
  throw new HelixError(
    'ACCESS.INSUFFICIENT_SCOPE',
    `A key without the scope ${missing} cannot rotate one with it.`,
  );
}

function present(key: ApiKey) {
  return {
    id: key.id,
    organizationId: key.organizationId,
    userId: key.userId,
    name: key.name,
    scopes: [...key.scopes],
    projectIds: key.projectIds && [...key.projectIds],
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    previousUntil: key.previousUntil?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    revision: key.revision,
  } satisfies ApiKeyDto;
}

function presentMinted({ key, secret }: MintedApiKey): ApiKeyWithSecretDto {
  return { ...present(key), apiKey: secret };
}
