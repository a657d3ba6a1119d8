import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/index.js';
import { FundingModule } from '../funding/index.js';
import { PayerChoice } from './payer-choice.js';
import { McpClientModule } from '../mcp-client/index.js';
import { McpConnectionsController } from './mcp-connections.controller.js';
import { TregModule } from '../treg/index.js';
import { NativeProvider } from './providers/native.provider.js';
import { TregProvider } from './providers/treg/treg.provider.js';
import { ToolDispatcher } from './tool-dispatcher.js';
import { ToolProviders } from './tool-providers.js';
import { ToolsController } from './tools.controller.js';
import { ToolsService } from './tools.service.js';

/**
 * The catalogue of tools and the way to their providers. It keeps nothing, so it has no entity and no repository; what
 * it asks of the engine is the port of tool-shelf.ts, which the workflow engine's module fills.
 */
@Module({
  imports: [ConnectionsModule, FundingModule, McpClientModule, TregModule],
  // The addresses of connections come first: the other controller's `:toolId` would take them.
  controllers: [McpConnectionsController, ToolsController],
  providers: [NativeProvider, TregProvider, ToolProviders, ToolDispatcher, PayerChoice, ToolsService],
  exports: [ToolsService, ToolDispatcher, PayerChoice],
})
export class ToolsModule {}
