import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Auth, type AuthContext, Operation, roles } from '../access/index.js';
import { SearchToolsQuery } from './dto/search-tools.query.js';
import { ToolDescriptorDto, ToolSearchResultDto } from './dto/tool-descriptor.dto.js';
import type { ToolDescriptor, ToolSearchResult } from './tool-descriptor.js';
import { ToolsService } from './tools.service.js';

const rule = { needs: 'workspace', roles, scope: 'tools:read' } as const;

@ApiTags('Tools')
@Controller('v1/api/tools')
export class ToolsController {
  constructor(private readonly tools: ToolsService) {}

  @Operation({ id: 'searchTools', summary: 'Search available tools and inspect funding readiness', ...rule })
  @ApiOkResponse({
    type: ToolSearchResultDto,
    description: 'Native and upstream tool descriptors. Remote totals may be unknown.',
  })
  @Get()
  search(@Auth() auth: AuthContext, @Query() query: SearchToolsQuery): Promise<ToolSearchResult> {
    const { query: text, provider, limit } = query;
    return this.tools.search(auth, { text, provider, limit: Number(limit ?? 30) });
  }

  @Operation({
    id: 'describeTool',
    summary: 'Read the accepted input schema and execution policy',
    errors: { 404: 'No such tool or call in this workspace.' },
    ...rule,
  })
  @ApiOkResponse({ type: ToolDescriptorDto, description: 'Tool descriptor.' })
  @Get(':toolId')
  describe(@Auth() auth: AuthContext, @Param('toolId') toolId: string): Promise<ToolDescriptor> {
    return this.tools.describe(auth, toolId);
  }
}
