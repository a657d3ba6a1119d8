import type { McpSource } from '../../../../common/dsl/index.js';
import { type FieldProblem, HelixError } from '../../../../common/engine/errors/helix-error.js';
import type { HelixLog } from '../../../../common/platform/logging/helix-log.js';
import type { ForeignSchemaValidator } from '../../../../common/platform/schema/foreign-schema-validator.js';
import type { McpTarget } from '../../../../components/mcp/mcp.component.js';
import type { ConnectionsService } from '../../../connections/index.js';
import type { SdkMcpCaller } from '../../../mcp-client/index.js';
import type { CatalogueTool } from '../../tool-descriptor.js';
import {
  type Connected,
  type Matches,
  type Offer,
  type OpenConnection,
  type Outcome,
  type Payer,
  type ProviderCall,
  ToolProvider,
  type ToolQuery,
} from '../../tool-provider.js';
import type { ListedTool } from './mcp-tool.js';
import { afterFailure, notSent, outcomeOf } from './mcp-outcome.js';
import { McpView } from './mcp-view.js';
import { ToolPins } from './tool-pins.js';

export interface McpProviderInit {
  readonly source: McpSource;
  readonly caller: SdkMcpCaller;
  readonly connections: ConnectionsService;
  readonly validator: ForeignSchemaValidator;
  readonly log: HelixLog;
}

interface HeldView {
  readonly view: McpView;
  readonly forget: () => void;
}

/** Read by servers that make a call once for a key; another Helix does. */
const idempotencyKey = 'io.helix/idempotencyKey';
/** Sessions of workspaces that nobody uses for so long are closed, and the oldest beyond this many. */
const idleMs = 15 * 60_000;
const mostViews = 200;
const mostPins = 1_000;

/** The tools of one MCP server: `mcp:<name>:<tool>`. */
export class McpProvider extends ToolProvider {
  readonly id: string;
  readonly capabilities;
  readonly #views = new Map<string, HeldView>();
  readonly #pins = new Map<string, ToolPins>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly init: McpProviderInit) {
    super();
    const { name, redispatch } = init.source;
    this.id = `mcp:${name}`;
    this.capabilities = {
      totals: true,
      upstreamIdempotency: redispatch === 'with_upstream_key' ? 'always' : 'none',
      lateCost: false,
    } as const;
  }

  get hasOwnConnections(): boolean {
    return this.init.source.ownConnections;
  }

  override async offer(organizationId: string): Promise<Offer> {
    const connected = await this.connect({ organizationId, source: 'organization' });
    return connected.isReady
      ? { isMade: true, connection: connected.connection }
      : { isMade: false, reason: connected.reason };
  }

  async connect({ organizationId, source }: Payer): Promise<Connected> {
    if (source === 'hlix') return { isReady: false, reason: noWallet };
    if (!this.hasOwnConnections) return { isReady: true, connection: null };
    const { connections } = this.init;
    const own = await connections.open(organizationId, this.id);
    if (own !== null)
      return { isReady: true, connection: { id: own.id, token: own.token.reveal(), organizationId: '' } };
    const { status } = await connections.read(organizationId, this.id);
    return { isReady: false, reason: `${whyNot[status] ?? whyNot.unreadable} ${this.#howToSave()}` };
  }

  async search(
    { text, limit, accepts }: ToolQuery,
    connection: OpenConnection | null,
    signal: AbortSignal,
  ): Promise<Matches> {
    const view = this.#viewOf(connection);
    const { index, isWhole } = await view.read(signal);
    const { tools, total } = index.search(text, limit, accepts);
    return { tools, total: isWhole ? total : null, isStale: view.isStale };
  }

  async describe(
    id: string,
    connection: OpenConnection | null,
    signal: AbortSignal,
  ): Promise<CatalogueTool | null> {
    return (await this.#viewOf(connection).read(signal)).byId.get(id)?.tool ?? null;
  }

  problems({ inputSchema }: CatalogueTool, input: unknown): readonly FieldProblem[] {
    return inputSchema === null ? [] : this.init.validator.check(inputSchema, input);
  }

  async call(call: ProviderCall, connection: OpenConnection | null, signal: AbortSignal): Promise<Outcome> {
    const view = this.#viewOf(connection);
    const listed = (await view.read(signal)).byId.get(call.toolId);
    if (!listed) return notSent('UPSTREAM.RETIRED', 'The MCP server has no such tool any more.');
    const { status, statusNote, policy } = listed.tool;
    if (status === 'blocked')
      return notSent(
        'UPSTREAM.REFUSED',
        `The tool is blocked: ${statusNote} Reload the workspace to accept it.`,
      );
    const first = await this.#attempt(view, listed, call, connection, signal);
    // Where running twice does no harm, the answer that was lost is asked for once more.
    if (first.kind !== 'lost' || policy.redispatch === 'never') return first;
    return this.#attempt(view, listed, call, connection, signal);
  }

  override onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  override async close(): Promise<void> {
    const held = [...this.#views.values()];
    this.#views.clear();
    await Promise.all(held.map((one) => closeOnceIdle(one, this.init.source.timeoutMs)));
  }

  /** Ends sessions that are not in use, so that a credential that was replaced is not held any longer. */
  async closeIdle(): Promise<void> {
    await this.#closeWhere(() => true);
  }

  async #attempt(
    view: McpView,
    { name, tool }: ListedTool,
    { callId, input }: ProviderCall,
    connection: OpenConnection | null,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const redact = (text: string) => this.init.log.secrets.redact(text);
    try {
      const extras = { meta: { [idempotencyKey]: callId }, inputSchema: tool.inputSchema ?? {} };
      const args = input as Readonly<Record<string, unknown>>;
      const answer = await view.use((session) => session.call(name, args, signal, extras), signal);
      await this.#note(connection, 'used');
      return outcomeOf(answer, redact);
    } catch (thrown) {
      signal.throwIfAborted();
      const outcome = afterFailure(HelixError.from(thrown), redact);
      if (outcome.kind !== 'ok' && outcome.code === 'credential_refused')
        await this.#note(connection, 'refused');
      return outcome;
    }
  }

  async #note(connection: OpenConnection | null, seen: 'used' | 'accepted' | 'refused'): Promise<void> {
    const id = connection?.id ?? null;
    if (id !== null) await this.init.connections.note(id, seen);
  }

  /** One for each credential. A connection that is saved again has a new id, and so a view of its own. */
  #viewOf(connection: OpenConnection | null): McpView {
    const key = connection?.id ?? '';
    const known = this.#views.get(key);
    // The map remembers the order of its keys: last used, last in.
    if (known) this.#views.delete(key);
    const held = known ?? this.#open(connection);
    this.#views.set(key, held);
    if (!known) {
      void this.#closeWhere(({ view }) => view.idleMs > idleMs);
      if (this.#views.size > mostViews) void this.#closeWhere(({ view }) => view !== held.view, 1);
    }
    return held.view;
  }

  #open(connection: OpenConnection | null): HeldView {
    const { source, log } = this.init;
    const { server } = source;
    const bearer = connection === null ? null : `Bearer ${connection.token}`;
    const secrets = [
      connection?.token,
      ...(server.transport === 'stdio' ? [] : [server.headers['authorization']?.replace(/^Bearer /, '')]),
    ];
    const forgets = secrets.map((secret) => log.secrets.add(secret));
    const pins = this.#pinsOf(connection?.id ?? '');
    const onChange = () => {
      for (const listener of this.#listeners) listener();
    };
    const onJudged = (seen: 'accepted' | 'refused') => void this.#note(connection, seen);
    const target = targetOf(source, bearer);
    const view = new McpView({ ...this.init, target, pins, onChange, onJudged });
    return { view, forget: () => forgets.forEach((forget) => forget()) };
  }

  async #closeWhere(isMeant: (held: HeldView) => boolean, most = Infinity): Promise<void> {
    const idle = [...this.#views].filter(([, held]) => held.view.idleMs > 0 && isMeant(held)).slice(0, most);
    for (const [key] of idle) this.#views.delete(key);
    await Promise.all(idle.map(([, { view, forget }]) => view.close().finally(forget)));
  }

  /** They outlive a session: what a server showed is not forgotten while nobody looks. */
  #pinsOf(key: string): ToolPins {
    const pins = this.#pins.get(key) ?? new ToolPins();
    this.#pins.set(key, pins);
    for (const oldest of this.#pins.keys()) {
      if (this.#pins.size <= mostPins) break;
      this.#pins.delete(oldest);
    }
    return pins;
  }

  #howToSave(): string {
    return `Save one with PUT /v1/api/tools/connections/mcp/${this.init.source.name}.`;
  }
}

const noWallet = 'The MCP server is called by credentials of its own: no wallet can pay for it.';
const whyNot: Readonly<Record<string, string>> & { readonly unreadable: string } = {
  not_configured: 'The workspace has no connection to this MCP server.',
  rejected: 'The MCP server refuses the saved token.',
  unreadable: 'The saved token cannot be read any more.',
};

function targetOf(
  { server, era, connectTimeoutMs, timeoutMs, maxMessageBytes }: McpSource,
  bearer: string | null,
) {
  const base = { era, elicitation: 'none' as const, connectTimeoutMs, timeoutMs, maxMessageBytes };
  if (server.transport === 'stdio') return { ...base, ...server } satisfies McpTarget;
  const headers = bearer === null ? server.headers : { ...server.headers, authorization: bearer };
  return { ...base, ...server, headers, isOwn: false } satisfies McpTarget;
}

/** Calls that are under way keep their session, for as long as one may take. */
async function closeOnceIdle({ view, forget }: HeldView, longestMs: number): Promise<void> {
  const until = performance.now() + longestMs;
  while (view.idleMs === 0 && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 50).unref());
  await view.close().finally(forget);
}
