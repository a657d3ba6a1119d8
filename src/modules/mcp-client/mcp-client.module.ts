import { Module } from '@nestjs/common';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { EgressGuard } from '../../common/platform/egress/index.js';
import { McpComponent } from '../../components/mcp/mcp.component.js';
import { SdkMcpCaller } from './sdk/sdk-mcp-caller.js';

/** Fills what `mcp://` asks of the world, and gives the catalogue the same client. */
@Module({
  providers: [
    {
      provide: SdkMcpCaller,
      useFactory: (config: HelixConfig) => new SdkMcpCaller(new EgressGuard(config.privateEgress)),
      inject: [HelixConfig],
    },
    {
      provide: McpComponent,
      useFactory: (caller: SdkMcpCaller) => new McpComponent(caller, { now: () => Date.now() }),
      inject: [SdkMcpCaller],
    },
  ],
  exports: [McpComponent, SdkMcpCaller],
})
export class McpClientModule {}
