import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { actorOf, administrators, Auth, type AuthContext, Operation } from '../access/index.js';
import {
  ConnectionsService,
  SaveMcpConnectionDto,
  type ToolConnection,
  ToolConnectionDto,
} from '../connections/index.js';
import { McpProvider } from './providers/mcp/mcp.provider.js';
import { ToolProviders } from './tool-providers.js';

const unknown = 'No source of the workspace file has this name and asks for connections.';
const writing = {
  needs: 'workspace',
  roles: administrators,
  scope: 'connections:write',
  errors: { 404: unknown },
} as const;

/** The workspace's tokens at the MCP servers whose source says `connection: true`. */
@ApiTags('Tools')
@Controller('v1/api/tools/connections/mcp/:name')
export class McpConnectionsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly providers: ToolProviders,
  ) {}

  @Operation({
    id: 'getMcpConnection',
    summary: 'Read safe state of a connection to an MCP server',
    needs: 'workspace',
    scope: 'tools:read',
    errors: { 404: unknown },
  })
  @ApiOkResponse({ type: ToolConnectionDto, description: 'Credential presence, never the token.' })
  @Get()
  read(@Auth() auth: AuthContext, @Param('name') name: string): Promise<ToolConnection> {
    return this.connections.read(auth.organizationId, this.#provider(name).id);
  }

  @Operation({
    id: 'saveMcpConnection',
    summary: 'Save the workspace’s token at an MCP server',
    hasBody: true,
    ...writing,
  })
  @ApiOkResponse({
    type: ToolConnectionDto,
    description: 'The encrypted connection was saved. Owner or admin only.',
  })
  @Put()
  async save(
    @Auth() auth: AuthContext,
    @Param('name') name: string,
    @Body() { apiKey }: SaveMcpConnectionDto,
  ): Promise<ToolConnection> {
    const provider = this.#provider(name);
    const token = { apiKey, upstreamOrganizationId: '' };
    const saved = await this.connections.save(auth.organizationId, provider.id, token, actorOf(auth));
    void provider.closeIdle();
    return saved;
  }

  @Operation({
    id: 'removeMcpConnection',
    summary: 'Remove the workspace’s token at an MCP server',
    ...writing,
  })
  @ApiOkResponse({ type: ToolConnectionDto, description: 'The connection was removed. Owner or admin only.' })
  @Delete()
  async remove(@Auth() auth: AuthContext, @Param('name') name: string): Promise<ToolConnection> {
    const provider = this.#provider(name);
    const removed = await this.connections.remove(auth.organizationId, provider.id, actorOf(auth));
    void provider.closeIdle();
    return removed;
  }

  #provider(name: string): McpProvider {
    const provider = this.providers.find(`mcp:${name}`);
    if (provider instanceof McpProvider && provider.hasOwnConnections) return provider;
    throw new HelixError('TOOL.UNKNOWN_TOOL', unknown);
  }
}
