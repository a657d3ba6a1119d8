import type { Route } from '../../common/engine/api/component.js';
import type { Clock, Log } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Session } from '../../common/engine/model/exchange.js';
import {
  checkChoice,
  exposedTools,
  warnOfNames,
  type ExposedTool,
  type ToolChoice,
} from './exposed-tools.js';
import type { McpOffers } from './mcp-offers.js';
import { principalOf } from './principal.js';
import { sessionIdOf, withoutMeta } from './session-id.js';
import type { SessionShelf } from './session-shelf.js';
import { failureOf, refusal, resultOf } from './tool-result.js';
import type {
  ResourceOffer,
  ResourceText,
  SourceChange,
  ToolCall,
  ToolOffer,
  ToolResult,
  ToolSource,
} from './tool-source.js';
import { TurnTaking } from './turn-taking.js';
import { WorkflowOffers } from './workflow-offers.js';
import { readWorkflows, workflowsResource } from './workflows-resource.js';

export interface WorkflowToolsParts {
  readonly route: Route;
  readonly choice: ToolChoice;
  readonly sessions: SessionShelf;
  readonly offers: McpOffers;
  readonly log: Log;
  readonly clock: Pick<Clock, 'now'>;
}

/** The workflows of an engine as tools: every call runs through the workflow's own pipeline. */
export class WorkflowTools implements ToolSource {
  #tools: ReadonlyMap<string, ExposedTool>;
  #offers: readonly ToolOffer[];
  readonly #turns = new TurnTaking();
  readonly #listeners = new Set<(change: SourceChange) => void>();
  readonly #unsubscribe: () => void;
  readonly offers: WorkflowOffers;
  #lists: { readonly tools: string; readonly prompts: string; readonly resources: string };

  /** @throws HelixError where two workflows claim one name, an option names a missing workflow,  */
  constructor(private readonly parts: WorkflowToolsParts) {
    const { route, choice, log } = parts;
    checkChoice(route.directory, choice, log);
    const { tools, collisions } = exposedTools(route.directory, choice, log);
    if (collisions[0]) throw collisions[0];
    warnOfNames(tools, log);
    this.#tools = tools;
    this.#offers = [...tools.values()].map(({ offer }) => offer);
    this.offers = new WorkflowOffers(parts);
    this.#lists = this.#listed();
    const leaveDirectory = route.directory.onChange(() => this.#reload());
    const leaveOffers = parts.offers.onUpdate((uri) => this.#tell({ kind: 'updated', uri }));
    this.#unsubscribe = () => {
      leaveDirectory();
      leaveOffers();
    };
  }

  tools(): readonly ToolOffer[] {
    return this.#offers;
  }

  find(name: string): ToolOffer | null {
    return this.#tools.get(name)?.offer ?? null;
  }

  async call(call: ToolCall): Promise<ToolResult | null> {
    const tool = this.#tools.get(call.name);
    if (!tool) return null;
    const args = withoutMeta(call.args);
    let id: string | null;
    try {
      id = sessionIdOf(call.meta, call.args);
    } catch (thrown) {
      return this.#told(failureOf(HelixError.from(thrown), call.name, true));
    }
    if (id === null) return this.#run(tool, args, call, null);
    const key = `${principalOf(call.caller)}:${id}`;
    const session = id;
    return this.#turns.run(key, () => this.#runInSession(tool, args, call, session, key));
  }

  resources(): readonly ResourceOffer[] {
    return [workflowsResource, ...this.offers.resources()];
  }

  read(uri: string): ResourceText | null {
    return uri === workflowsResource.uri ? this.#told(readWorkflows(this.parts.route.directory)) : null;
  }

  onChange(listener: (change: SourceChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#unsubscribe();
    this.#listeners.clear();
  }

  /** Between load and save nobody else of the session runs, so that no state is lost. */
  async #runInSession(
    tool: ExposedTool,
    args: Record<string, unknown>,
    call: ToolCall,
    id: string,
    key: string,
  ): Promise<ToolResult> {
    const kept = await this.parts.sessions.load(key);
    const session: Session = { id, state: kept === undefined ? {} : (JSON.parse(kept) as Session['state']) };
    const result = await this.#run(tool, args, call, session);
    // A failed call leaves the state as it was, so that trying again starts from the same place.
    if (result.isError) return result;
    try {
      const state = asText(session.state);
      if (state !== kept && !(kept === undefined && state === '{}'))
        await this.parts.sessions.save(key, state);
      return result;
    } catch (thrown) {
      const { publicMessage } = HelixError.from(thrown);
      return this.#told(refusal(`The tool ran, but its session was not kept. ${publicMessage}`));
    }
  }

  async #run(
    tool: ExposedTool,
    args: Record<string, unknown>,
    call: ToolCall,
    session: Session | null,
  ): Promise<ToolResult> {
    const { workflow, offer } = tool;
    if (call.signal.aborted) return refusal('The call was cancelled before it began; nothing was run.');
    const { route } = this.parts;
    const exchange = route.directory.exchange(workflow.id, {
      pattern: 'InOut',
      body: args,
      headers: {
        HelixMcpToolName: offer.name,
        HelixMcpRouteID: workflow.id,
        ...traceHeaders(call.meta),
      },
      caller: call.caller,
      session,
      link: call.link,
      signal: call.signal,
    });
    // Under which name the workflow was called is no choice of which tool it calls: mcp:// takes the header for one.
    exchange.setProperty('helix.mcp.tool-name', offer.name);
    // The steps of the hosting workflow, if it has any, stand before every tool; most have none, and that costs no turn.
    const hosted = route.pass(exchange);
    if (hosted) await hosted;
    if (!exchange.failure) await route.directory.run(workflow.id, exchange);
    if (exchange.failure) {
      const { workflowId, stepId } = exchange.failedAt ?? {};
      const isRefused = workflowId === workflow.id && stepId === null;
      const { failure } = exchange;
      const told = this.#told(failureOf(failure, offer.name, isRefused));
      if (failure.meaning.exposure !== 'operator') return told;
      return { ...told, fault: { code: failure.meaning.jsonRpc, message: told.text } };
    }
    return resultOf(exchange.in, offer.outputSchema !== undefined);
  }

  /** Failures quote what was sent elsewhere, and descriptions what a variable held. */
  #told<T extends { readonly text: string }>(said: T): T {
    return { ...said, text: this.parts.log.redact?.(said.text) ?? said.text };
  }

  /** After a reload nothing can be refused any more: what is sound is served, the rest is reported. */
  #reload(): void {
    const { route, choice, log } = this.parts;
    const { tools, collisions } = exposedTools(route.directory, choice, log);
    for (const { message } of collisions) log.write('error', message);
    this.#tools = tools;
    this.#offers = [...tools.values()].map(({ offer }) => offer);
    const before = this.#lists;
    this.#lists = this.#listed();
    const kinds = (['tools', 'prompts', 'resources'] as const).filter(
      (kind) => before[kind] !== this.#lists[kind],
    );
    // A reload that changes no list may still change what the tools do.
    for (const kind of kinds.length > 0 ? kinds : (['tools'] as const)) this.#tell({ kind });
  }

  #tell(change: SourceChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  #listed(): { readonly tools: string; readonly prompts: string; readonly resources: string } {
    return {
      tools: JSON.stringify(this.#offers),
      prompts: JSON.stringify(this.offers.prompts()),
      resources: JSON.stringify([this.offers.resources(), this.offers.templates()]),
    };
  }
}

function asText(state: unknown): string {
  try {
    return JSON.stringify(state ?? {});
  } catch (cause) {
    throw new HelixError(
      'TOOL.RULE_VIOLATED',
      'The session state cannot be written as JSON: put plain data into helix.session.state. The state before this call is kept.',
      { cause },
    );
  }
}

/** Trace context rides in `_meta` under its W3C names; nothing else of `_meta` becomes a header. */
function traceHeaders(meta: Readonly<Record<string, unknown>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ['traceparent', 'tracestate', 'baggage']) {
    const value = Object.hasOwn(meta, name) ? meta[name] : undefined;
    if (typeof value === 'string' && value.length <= 8192 && /^[\t\x20-\x7e]*$/.test(value))
      headers[name] = value;
  }
  return headers;
}
