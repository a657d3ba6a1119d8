import { Module } from '@nestjs/common';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { Keyring } from '../../common/platform/crypto/keyring.js';
import { McpOffers } from '../../components/mcp-server/mcp-offers.js';
import { McpPromptComponent } from '../../components/mcp-server/mcp-prompt.component.js';
import { McpResourceComponent } from '../../components/mcp-server/mcp-resource.component.js';
import { McpServerComponent } from '../../components/mcp-server/mcp-server.component.js';
import { MemorySessionShelf } from '../../components/mcp-server/session-shelf.js';
import { NodeMcpHost } from './mcp-host.js';
import { RequestStates } from './protocol/request-state.js';

const clock = { now: (): number => Date.now() };

/** Brings `mcp-server://` to the engine, which finds the component among the providers. */
@Module({
  providers: [
    {
      provide: NodeMcpHost,
      useFactory: (log: HelixLog, keyring: Keyring) =>
        new NodeMcpHost({
          log,
          states: new RequestStates(keyring.subKeys('mcp-request-state')),
          stdio: { input: process.stdin, output: process.stdout },
          // As the host of a stdio server asks a process to end that did not notice.
          onStdioEnd: () => void process.kill(process.pid, 'SIGTERM'),
        }),
      inject: [HelixLog, Keyring],
    },
    { provide: McpOffers, useFactory: () => new McpOffers() },
    {
      provide: McpPromptComponent,
      useFactory: (offers: McpOffers) => new McpPromptComponent(offers),
      inject: [McpOffers],
    },
    {
      provide: McpResourceComponent,
      useFactory: (offers: McpOffers) => new McpResourceComponent(offers),
      inject: [McpOffers],
    },
    {
      provide: McpServerComponent,
      useFactory: (host: NodeMcpHost, offers: McpOffers, log: HelixLog) =>
        new McpServerComponent({ host, offers, log, clock, sessions: new MemorySessionShelf(clock) }),
      inject: [NodeMcpHost, McpOffers, HelixLog],
    },
  ],
})
export class McpServerModule {}
