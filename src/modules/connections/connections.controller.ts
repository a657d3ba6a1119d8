import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { actorOf, administrators, Auth, type AuthContext, Operation } from '../access/index.js';
import type { ToolConnection } from './connection.js';
import { ConnectionsService } from './connections.service.js';
import { SaveToolConnectionDto, ToolConnectionDto } from './dto/connection.dto.js';

const provider = 'treg';
const writing = { needs: 'workspace', roles: administrators, scope: 'connections:write' } as const;

@ApiTags('Tools')
@Controller('v1/api/tools/connections/treg')
export class ConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  @Operation({
    id: 'getToolConnection',
    summary: 'Read safe Treg connection state',
    needs: 'workspace',
    scope: 'tools:read',
  })
  @ApiOkResponse({ type: ToolConnectionDto, description: 'Credential presence, never the token.' })
  @Get()
  read(@Auth() auth: AuthContext): Promise<ToolConnection> {
    return this.connections.read(auth.organizationId, provider);
  }

  @Operation({
    id: 'saveToolConnection',
    summary: 'Save a workspace Treg connection',
    hasBody: true,
    ...writing,
  })
  @ApiOkResponse({
    type: ToolConnectionDto,
    description: 'The encrypted connection was saved. Owner or admin only.',
  })
  @Put()
  save(@Auth() auth: AuthContext, @Body() body: SaveToolConnectionDto): Promise<ToolConnection> {
    const { apiKey, organizationId: upstreamOrganizationId } = body;
    const token = { apiKey, upstreamOrganizationId };
    return this.connections.save(auth.organizationId, provider, token, actorOf(auth));
  }

  @Operation({ id: 'removeToolConnection', summary: 'Remove a workspace Treg connection', ...writing })
  @ApiOkResponse({ type: ToolConnectionDto, description: 'The connection was removed. Owner or admin only.' })
  @Delete()
  remove(@Auth() auth: AuthContext): Promise<ToolConnection> {
    return this.connections.remove(auth.organizationId, provider, actorOf(auth));
  }
}
