import { Module } from '@nestjs/common';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { McpServerComponent } from '../../components/mcp-server/mcp-server.component.js';
import { MemorySessionShelf } from '../../components/mcp-server/session-shelf.js';
import { NodeMcpHost } from './mcp-host.js';

const clock = { now: (): number => Date.now() };

/** Brings `mcp-server://` to the engine, which finds the component among the providers. */
@Module({
  providers: [
    {
      provide: NodeMcpHost,
      useFactory: (log: HelixLog) =>
        new NodeMcpHost({
          log,
          stdio: { input: process.stdin, output: process.stdout },
          // As the host of a stdio server asks a process to end that did not notice.
          onStdioEnd: () => void process.kill(process.pid, 'SIGTERM'),
        }),
      inject: [HelixLog],
    },
    {
      provide: McpServerComponent,
      useFactory: (host: NodeMcpHost, log: HelixLog) =>
        new McpServerComponent({ host, log, clock, sessions: new MemorySessionShelf(clock) }),
      inject: [NodeMcpHost, HelixLog],
    },
  ],
})
export class McpServerModule {}
