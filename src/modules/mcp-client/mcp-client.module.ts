import { Module } from '@nestjs/common';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { EgressGuard } from '../../common/platform/egress/index.js';
import { McpComponent } from '../../components/mcp/mcp.component.js';
import { SdkMcpCaller } from './sdk/sdk-mcp-caller.js';

/** Fills what `mcp://` asks of the world. */
@Module({
  providers: [
    {
      provide: McpComponent,
      useFactory: (config: HelixConfig) =>
        new McpComponent(new SdkMcpCaller(new EgressGuard(config.privateEgress)), { now: () => Date.now() }),
      inject: [HelixConfig],
    },
  ],
  exports: [McpComponent],
})
export class McpClientModule {}
