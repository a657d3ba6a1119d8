import type { Readable, Writable } from 'node:stream';
import type { Log } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type {
  McpHost,
  McpServerPlan,
  NetworkPlan,
  OpenMcpServer,
} from '../../components/mcp-server/mcp-server.component.js';
import type { ToolSource } from '../../components/mcp-server/tool-source.js';
import { GuardedDoor } from './security/door.js';
import { Origins } from './security/origins.js';
import { HttpEndpoint, type McpEndpoint } from './transport/http-endpoint.js';
import { Listener } from './transport/listener.js';
import { SseEndpoint } from './transport/sse-endpoint.js';
import { StdioEndpoint } from './transport/stdio-endpoint.js';

export interface McpHostParts {
  readonly log: Log;
  /** Standard streams of the process, or what stands for them. */
  readonly stdio: { readonly input: Readable; readonly output: Writable };
  /** The peer of a stdio server is gone: whoever owns the process should end it. */
  readonly onStdioEnd: () => void;
  /** Milliseconds that calls under way have left when a server closes. */
  readonly graceMs?: number;
  readonly keepAliveMs?: number;
}

/** Opens the transports of `mcp-server://` on node:http and on standard streams. */
export class NodeMcpHost implements McpHost {
  #stdioInUse = false;

  constructor(private readonly parts: McpHostParts) {}

  open(plan: McpServerPlan, source: ToolSource): Promise<OpenMcpServer> {
    return plan.transport === 'stdio'
      ? Promise.resolve(this.#openStdio(plan, source))
      : this.#openNetwork(plan, source);
  }

  async #openNetwork(plan: McpServerPlan & NetworkPlan, source: ToolSource): Promise<OpenMcpServer> {
    const { listen, transport } = plan;
    const { log, keepAliveMs, graceMs = 10_000 } = this.parts;
    const listener: Listener = new Listener((request, response) => endpoint.handle(request, response));
    const home = listen.path || (transport === 'sse' ? '/sse' : '');
    const shared = {
      identity: { name: plan.name, version: plan.version },
      source,
      log,
      maxBodyBytes: plan.maxBodyBytes,
      door: new GuardedDoor(plan.guard),
      origins: new Origins({
        host: listen.host,
        corsOrigins: plan.corsOrigins,
        trustedProxies: plan.guard.trustedProxies,
      }),
      // Clients are given the bare address or, out of habit, /mcp.
      paths: new Set(home === '' ? ['/', '/mcp'] : [home, `${home}/`]),
      ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
    };
    const endpoint: McpEndpoint = transport === 'sse' ? new SseEndpoint(shared) : new HttpEndpoint(shared);
    try {
      await listener.listen(listen.host, listen.port);
    } catch (thrown) {
      endpoint.close();
      throw thrown;
    }
    const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
    return {
      address: `http://${host}:${listener.port}${home}`,
      close: async () => {
        endpoint.drain();
        await listener.drain(graceMs);
        endpoint.close();
        await listener.close();
      },
    };
  }

  #openStdio(plan: McpServerPlan, source: ToolSource): OpenMcpServer {
    if (this.#stdioInUse) throw onlyOneStdio();
    this.#stdioInUse = true;
    const { stdio, log, onStdioEnd, graceMs = 10_000 } = this.parts;
    const endpoint = new StdioEndpoint({
      ...stdio,
      identity: { name: plan.name, version: plan.version },
      source,
      log,
      maxLineBytes: plan.maxBodyBytes,
      graceMs,
      onEnd: onStdioEnd,
    });
    return {
      address: 'stdio',
      close: async () => {
        this.#stdioInUse = false;
        await endpoint.close();
      },
    };
  }
}

function onlyOneStdio(): HelixError {
  return new HelixError(
    'WORKSPACE.INVALID',
    'Two workflows are triggered by mcp-server://stdio, and a process has one pair of standard streams: keep one.',
  );
}
