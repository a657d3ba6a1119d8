import { Component, type AdoptedVersion, type Endpoint } from '../../common/engine/api/component.js';
import { readOptions } from '../../common/engine/api/options.js';
import type { Clock } from '../../common/engine/api/ports.js';
import { Versioned } from '../../common/engine/api/versioned.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { WorkspaceDefinition } from '../../common/engine/model/workflow-definition.js';
import { mcpAddress, mcpTarget } from './mcp-address.js';
import type { McpCaller } from './mcp-caller.js';
import { McpLink } from './mcp-link.js';
import { mcpOptions, type McpOptions } from './options.js';
import { toArguments, toBody } from './shape.js';
import { isOwnServer, writtenTargets, type WrittenTargets } from './written-targets.js';

export type { McpAnswer, McpCaller, McpConnection, McpTarget } from './mcp-caller.js';

/** Addresses computed per message can be without number: idle sessions beyond this many are closed, oldest first. */
const mostLinks = 200;

/**
 * Property that holds the `HelixMcpToolName` which the engine wrote by itself: the tool as which an MCP client called this
 * workflow (mcp-server:// sets it), or the one an earlier mcp:// step called. Any other value is the workflow's choice.
 */
const reportedTool = 'helix.mcp.tool-name';

const nothingWritten: WrittenTargets = { uris: new Set(), servers: [] };

/** `mcp://server/tool`: calls a tool of an MCP server (contract/mcp-component). */
export class McpComponent extends Component {
  readonly scheme = 'mcp';
  readonly description = 'Calls a tool of an MCP server.';
  readonly options = mcpOptions;
  readonly #links = new Map<string, McpLink>();
  readonly #written = new Versioned(nothingWritten);

  constructor(
    private readonly caller: McpCaller,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    super();
  }

  override adopt(workspace: WorkspaceDefinition, version: AdoptedVersion): void {
    const before = this.#written.newest;
    this.#written.adopt(writtenTargets(workspace), version);
    const { uris } = this.#written.newest;
    this.#closeIdle((key) => before.uris.has(key) && !uris.has(key), Infinity);
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, mcpOptions);
    const { server, tool } = mcpAddress(uri);
    mcpTarget(server, options, false);
    return {
      uri,
      producer: () => (exchange) => this.#send(exchange, uri, server, tool, options),
      reset: () => this.#links.get(uri.identity)?.reset(),
    };
  }

  override async close(): Promise<void> {
    const links = [...this.#links.values()];
    this.#links.clear();
    await Promise.all(links.map((link) => link.close()));
  }

  async #send(
    exchange: Exchange,
    uri: EndpointUri,
    server: string,
    written: string,
    options: McpOptions,
  ): Promise<void> {
    const named = exchange.headers.text('HelixMcpToolName');
    const isChosen = named !== undefined && named !== '' && named !== exchange.property(reportedTool);
    const tool = isChosen ? named : written;
    if (tool === '') {
      throw new HelixError(
        'MCP.TOOL_FAILED',
        `${uri.toString()} names no tool: add it to the URI or set the header HelixMcpToolName.`,
      );
    }
    const link = this.#linkOf(uri, server, options, this.#written.of(exchange));
    const answer = await link.call(tool, toArguments(exchange.body), exchange.signal);
    exchange.headers.set('HelixMcpToolName', tool);
    if (!isChosen) exchange.setProperty(reportedTool, tool);
    exchange.headers.set('HelixMcpIsError', answer.isError);
    exchange.body = toBody(answer);
    if (answer.isError) {
      throw new HelixError('MCP.TOOL_FAILED', toBody(answer), { details: { tool } });
    }
  }

  #linkOf(uri: EndpointUri, server: string, options: McpOptions, written: WrittenTargets): McpLink {
    const key = uri.identity;
    const known = this.#links.get(key);
    // The map remembers the order of its keys: last used, last in.
    if (known) this.#links.delete(key);
    const link = known ?? this.#newLink(uri, server, options, written);
    this.#links.set(key, link);
    if (this.#links.size > mostLinks) this.#closeIdle(() => true, 1);
    return link;
  }

  /** @param written of the version of the workspace that the exchange is on which opens it */
  #newLink(uri: EndpointUri, server: string, options: McpOptions, written: WrittenTargets): McpLink {
    const { reconnect, 'retry-after': retryAfterMs, 'max-in-flight': maxInFlight } = options;
    const connect = async (): ReturnType<McpCaller['connect']> => {
      const target = mcpTarget(server, options, false);
      if (target.transport !== 'stdio') {
        const isOwn = isOwnServer([...written.servers, ...this.#written.newest.servers], target.url);
        return this.caller.connect({ ...target, isOwn });
      }
      if (!written.uris.has(uri.identity) && !this.#written.newest.uris.has(uri.identity))
        throw commandOfMessage();
      return this.caller.connect(target);
    };
    return new McpLink({ connect, clock: this.clock, reconnect, retryAfterMs, maxInFlight });
  }

  /** Closes sessions that nobody uses at the moment, oldest first. */
  #closeIdle(isMeant: (key: string) => boolean, most: number): void {
    const idle = [...this.#links].filter(([key, link]) => link.isIdle && isMeant(key));
    for (const [key, link] of idle.slice(0, most)) {
      this.#links.delete(key);
      void link.close();
    }
  }
}

/** Whoever can choose the command can do everything: a message never may. */
function commandOfMessage(): HelixError {
  return new HelixError(
    'MCP.EGRESS_REFUSED',
    'transport=stdio starts a program, so the whole URI must stand in the workspace; this one was computed.',
  );
}
