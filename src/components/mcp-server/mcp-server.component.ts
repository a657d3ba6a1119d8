import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { readOptions } from '../../common/engine/api/options.js';
import type { Clock, Log } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';
import { EdgeGuard } from '../../common/engine/policies/index.js';
import { readListenAddress, type ListenAddress } from './listen-address.js';
import { mcpServerOptions, networkOptions, sameDoor, type McpServerOptions } from './mcp-server.options.js';
import type { McpOffers } from './mcp-offers.js';
import { reviewListeners } from './review-listeners.js';
import type { SessionShelf } from './session-shelf.js';
import type { ToolSource } from './tool-source.js';
import { WorkflowTools } from './workflow-tools.js';

/** Speaks MCP for the component: opens a transport and serves a source of tools on it. */
export interface McpHost {
  /** @throws HelixError with a sentence for the operator where the transport cannot be opened */
  open(plan: McpServerPlan, source: ToolSource, takeover: Takeover): Promise<OpenMcpServer>;
}

/** How a server stands to the one of an older version of the workspace. */
export interface Takeover {
  /** Whether what comes now is for this one. */
  readonly isCurrent: () => boolean;
  /** The server whose address it takes over while that is open; null for an address of its own. */
  readonly before: OpenMcpServer | null;
  /** Whether sessions and tasks of that server go on in this one, since it lets in the same callers. */
  readonly keepsClients: boolean;
}

export interface OpenMcpServer {
  /** Where clients find it, e.g. `http://127.0.0.1:8181`, or `stdio`. */
  readonly address: string;
  /** Takes no new requests, lets those in flight run out, then ends what is left. */
  close(): Promise<void>;
}

export interface NetworkPlan {
  readonly transport: 'http' | 'sse';
  readonly listen: ListenAddress;
  readonly guard: EdgeGuard;
  readonly corsOrigins: readonly string[];
  /** Milliseconds; null: streams stay open. */
  readonly pollAfterMs: number | null;
}

/** What one URI asks for. */
export type McpServerPlan = (NetworkPlan | { readonly transport: 'stdio' }) & {
  readonly name: string;
  readonly version: string;
  readonly maxBodyBytes: number;
};

export interface McpServerParts {
  readonly host: McpHost;
  readonly sessions: SessionShelf;
  readonly offers: McpOffers;
  readonly log: Log;
  readonly clock: Pick<Clock, 'now'>;
}

/** `mcp-server://host:port` and `mcp-server://stdio`: the engine's workflows as MCP tools. */
export class McpServerComponent extends Component {
  readonly scheme = 'mcp-server';
  readonly description = 'Serves workflows as tools to MCP clients, over HTTP or standard input and output.';
  readonly options = mcpServerOptions;
  readonly #servers = new Set<Serving>();

  constructor(private readonly parts: McpServerParts) {
    super();
  }

  override review(workspace: WorkspaceDefinition, report: (problem: WorkspaceProblem) => void): void {
    reviewListeners(workspace, report);
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, mcpServerOptions);
    const plan = planOf(uri, options, this.parts.clock);
    return {
      uri,
      edge: true,
      consumer: (route) => new McpServerConsumer(plan, options, route, this.parts, this.#servers),
    };
  }
}

/** A server that is open, by the address that is written for it. */
interface Serving {
  readonly written: string;
  readonly route: Route;
  readonly choice: McpServerOptions;
  readonly server: OpenMcpServer;
}

class McpServerConsumer implements Consumer {
  #open: { readonly serving: Serving; readonly tools: WorkflowTools } | null = null;

  constructor(
    private readonly plan: McpServerPlan,
    private readonly choice: McpServerOptions,
    private readonly route: Route,
    private readonly parts: McpServerParts,
    private readonly servers: Set<Serving>,
  ) {}

  get address(): string | undefined {
    return this.#open?.serving.server.address;
  }

  async start(): Promise<void> {
    const tools = new WorkflowTools({ ...this.parts, route: this.route, choice: this.choice });
    const { plan, choice, route, servers } = this;
    const written = plan.transport === 'stdio' ? 'stdio' : `${plan.listen.host}:${plan.listen.port}`;
    const former = [...servers].filter(
      (other) => other.written === written && !other.route.coexistsWith(route),
    );
    const own = former.find((other) => other.route.workflow.id === route.workflow.id);
    // Port 0 is an address for each that asks.
    const before = own ?? (written.endsWith(':0') ? undefined : former[0]);
    const takeover = {
      isCurrent: () => route.serves(null),
      before: before?.server ?? null,
      keepsClients: own !== undefined && sameDoor(own.choice, choice),
    };
    try {
      const serving = { written, route, choice, server: await this.parts.host.open(plan, tools, takeover) };
      servers.add(serving);
      this.#open = { serving, tools };
    } catch (thrown) {
      tools.close();
      throw thrown;
    }
  }

  async stop(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    if (!open) return;
    this.servers.delete(open.serving);
    await open.serving.server.close();
    open.tools.close();
  }
}

function planOf(uri: EndpointUri, options: McpServerOptions, clock: Pick<Clock, 'now'>): McpServerPlan {
  const isStdio = uri.path === 'stdio';
  const transport = options.transport ?? (isStdio ? 'stdio' : 'http');
  const common = { name: options.name, version: options.version, maxBodyBytes: options.max_body_bytes };
  if (isStdio !== (transport === 'stdio')) {
    throw new HelixError(
      'WORKSPACE.WRONG_OPTION',
      isStdio
        ? `mcp-server://stdio cannot speak ${transport}: write an address, or leave "transport" out.`
        : 'transport=stdio needs no address: write mcp-server://stdio.',
      { details: { option: 'transport' } },
    );
  }
  if (transport === 'stdio') {
    refuseNetworkOptions(uri);
    return { transport, ...common };
  }
  return {
    transport,
    ...common,
    listen: readListenAddress(uri.path),
    guard: new EdgeGuard(uri, options, clock),
    corsOrigins: options.cors_origins,
    pollAfterMs: options.poll_after,
  };
}

/** Ignored in silence, an `api_keys` would be believed to guard something. */
function refuseNetworkOptions(uri: EndpointUri): void {
  const given = networkOptions.find((name) => uri.options.has(name));
  if (given === undefined) return;
  throw new HelixError(
    'WORKSPACE.WRONG_OPTION',
    `The option "${given}" guards a network address, and mcp-server://stdio has none: leave it out.`,
    { details: { option: given } },
  );
}
