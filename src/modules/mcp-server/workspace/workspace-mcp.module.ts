import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/index.js';
import { ToolCallsModule } from '../../tool-calls/index.js';
import { ToolsModule } from '../../tools/index.js';
import { AuthContexts } from './auth-contexts.js';
import { DurableCatalogue } from './durable-catalogue.js';
import { McpController } from './mcp.controller.js';
import { ToolCatalogue } from './tool-catalogue.js';
import { WorkspaceEndpoint } from './workspace-endpoint.js';

/** The workspace's own MCP endpoint, `/mcp`. */
@Module({
  imports: [AccessModule, ToolsModule, ToolCallsModule],
  controllers: [McpController],
  providers: [
    WorkspaceEndpoint,
    { provide: AuthContexts, useFactory: () => new AuthContexts() },
    { provide: ToolCatalogue, useClass: DurableCatalogue },
  ],
})
export class WorkspaceMcpModule {}
