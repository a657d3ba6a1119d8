import type { Readable, Writable } from 'node:stream';
import type { Log } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type {
  McpHost,
  McpServerPlan,
  NetworkPlan,
  OpenMcpServer,
  Takeover,
} from '../../components/mcp-server/mcp-server.component.js';
import type { ToolSource } from '../../components/mcp-server/tool-source.js';
import { RequestStates } from './protocol/request-state.js';
import { MemoryTaskShelf } from './protocol/tasks.js';
import { GuardedDoor } from './security/door.js';
import { Origins } from './security/origins.js';
import { HttpEndpoint, type McpEndpoint } from './transport/http-endpoint.js';
import { SharedListener } from './transport/shared-listener.js';
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
  /** Seals what clients carry from one round of a call to the next; by default with a key of this process. */
  readonly states?: RequestStates;
}

/** Opens the transports of `mcp-server://` on node:http and on standard streams. */
export class NodeMcpHost implements McpHost {
  #stdioInUse = false;
  readonly #states: RequestStates;
  readonly #opened = new WeakMap<
    OpenMcpServer,
    { readonly listener: SharedListener; readonly endpoint: McpEndpoint }
  >();

  constructor(private readonly parts: McpHostParts) {
    this.#states = parts.states ?? new RequestStates();
  }

  async open(
    plan: McpServerPlan,
    source: ToolSource,
    { isCurrent, before, keepsClients }: Takeover,
  ): Promise<OpenMcpServer> {
    if (plan.transport === 'stdio') return this.#openStdio(plan, source, before !== null);
    const known = before && this.#opened.get(before);
    const listener = known?.listener ?? new SharedListener();
    const former = keepsClients && known?.endpoint instanceof HttpEndpoint ? known.endpoint : null;
    const { endpoint, home } = this.#endpoint(plan, source, former);
    const { host } = plan.listen;
    try {
      if (!known) await listener.listen(host, plan.listen.port);
    } catch (thrown) {
      endpoint.close();
      throw thrown;
    }
    listener.admit(endpoint, isCurrent);
    const { graceMs = 10_000 } = this.parts;
    const server: OpenMcpServer = {
      address: `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}${home}`,
      close: () => listener.leave(endpoint, graceMs),
    };
    this.#opened.set(server, { listener, endpoint });
    return server;
  }

  #endpoint(
    plan: McpServerPlan & NetworkPlan,
    source: ToolSource,
    former: HttpEndpoint | null,
  ): { readonly endpoint: McpEndpoint; readonly home: string } {
    const { listen, transport } = plan;
    const { log, keepAliveMs } = this.parts;
    const home = listen.path || (transport === 'sse' ? '/sse' : '');
    const shared = {
      identity: { name: plan.name, version: plan.version },
      source,
      states: this.#states,
      tasks: new MemoryTaskShelf(),
      log,
      maxBodyBytes: plan.maxBodyBytes,
      pollAfterMs: plan.pollAfterMs,
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
    return {
      endpoint: transport === 'sse' ? new SseEndpoint(shared) : new HttpEndpoint(shared, former),
      home,
    };
  }

  #openStdio(plan: McpServerPlan, source: ToolSource, isChange: boolean): OpenMcpServer {
    if (this.#stdioInUse) throw isChange ? stdioStays() : onlyOneStdio();
    this.#stdioInUse = true;
    const { stdio, log, onStdioEnd, graceMs = 10_000 } = this.parts;
    const endpoint = new StdioEndpoint({
      ...stdio,
      identity: { name: plan.name, version: plan.version },
      source,
      states: this.#states,
      tasks: new MemoryTaskShelf(),
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

/** Its one client has shaken hands with what runs, and would not do so again. */
function stdioStays(): HelixError {
  return new HelixError(
    'WORKSPACE.INVALID',
    'A workflow triggered by mcp-server://stdio cannot be changed while it runs: restart Helix for that.',
  );
}

function onlyOneStdio(): HelixError {
  return new HelixError(
    'WORKSPACE.INVALID',
    'Two workflows are triggered by mcp-server://stdio, and a process has one pair of standard streams: keep one.',
  );
}
