import {
  Component,
  type AdoptedVersion,
  type Consumer,
  type Endpoint,
  type Route,
} from '../../common/engine/api/component.js';
import type { ExpressionLanguage } from '../../common/engine/api/expression.js';
import { handOver } from '../../common/engine/api/hand-over.js';
import { Listeners } from '../../common/engine/api/listeners.js';
import { closest, readOptions } from '../../common/engine/api/options.js';
import type { SchemaValidator } from '../../common/engine/api/ports.js';
import { Versioned } from '../../common/engine/api/versioned.js';
import { HelixError, type FieldProblem } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { ToolDefinition } from '../../common/engine/model/tool-definition.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';
import { reviewTools } from './review-tools.js';
import { Tool } from './tool.js';
import type { ToolCatalogue } from './tool-catalogue.js';
import { definitionsOf } from './tool-definitions.js';

interface Listener {
  readonly tool: Tool;
  readonly route: Route;
}

/**
 * `tool://id` (contract/tool-component): a route with a name, a description and argument schemas that are checked before
 * its steps run.
 */
export class ToolComponent extends Component implements ToolCatalogue {
  readonly scheme = 'tool';
  readonly description =
    'A route that agents, MCP clients and other routes call by name, its arguments checked.';
  readonly options = {};
  readonly #tools = new Versioned<Map<string, Tool>>(new Map());
  readonly #listeners = new Listeners<{ readonly route: Route }>();
  #list: readonly ToolDefinition[] | null = null;

  constructor(
    private readonly language: ExpressionLanguage,
    private readonly validator: SchemaValidator | null = null,
  ) {
    super();
  }

  /** Makes a tool known; one of the same id is replaced. @throws HelixError where a rule or schema does not compile */
  register(definition: ToolDefinition): void {
    this.#list = null;
    this.#tools.newest.set(definition.id, new Tool(definition, this.language, this.validator));
  }

  list(): readonly ToolDefinition[] {
    return (this.#list ??= [...this.#tools.newest.values()].map(({ definition }) => definition));
  }

  get(id: string): ToolDefinition | undefined {
    return this.#tools.newest.get(id)?.definition;
  }

  problems(id: string, args: unknown): readonly FieldProblem[] {
    const tool = this.#tools.newest.get(id);
    if (!tool) throw this.#unknown(id);
    const route = this.#listeners.find(id, null)?.route;
    return tool.problems(args, (checked) => route?.violations(checked) ?? []);
  }

  override review(workspace: WorkspaceDefinition, report: (problem: WorkspaceProblem) => void): void {
    reviewTools(workspace, this.language, this.validator, report);
  }

  override adopt(workspace: WorkspaceDefinition, version: AdoptedVersion): void {
    this.#tools.adopt(new Map(), version);
    for (const definition of definitionsOf(workspace).values()) this.register(definition);
  }

  endpoint(uri: EndpointUri): Endpoint {
    readOptions(uri, this.options);
    const id = uri.path;
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(id)) {
      throw new HelixError(
        'WORKSPACE.INVALID',
        `tool:// needs the id of a tool, of letters, digits, ".", "_" and "-": write tool://id.`,
      );
    }
    return {
      uri,
      pairing: 'one',
      producer: () => (exchange) => this.#call(id, exchange),
      consumer: (route) => this.#consumer(id, route),
    };
  }

  #call(id: string, exchange: Exchange): void | Promise<void> {
    const { tool, route } = this.#listener(id, exchange);
    const outer = exchange.args;
    const giveBack = (): void => {
      exchange.args = outer;
    };
    try {
      tool.admit(exchange, (args) => route.violations(args));
    } catch (thrown) {
      giveBack();
      throw thrown;
    }
    return handOver(route, exchange, giveBack);
  }

  #listener(id: string, exchange: Exchange): Listener {
    const tool = this.#tools.of(exchange).get(id);
    const route = this.#listeners.find(id, exchange)?.route;
    if (tool && route) return { tool, route };
    if (tool) throw new HelixError('ENGINE.NO_CONSUMER', `The tool "${id}" is not running.`);
    throw this.#unknown(id);
  }

  #unknown(id: string): HelixError {
    const suggestion = closest(id, [...this.#tools.newest.keys()]);
    return new HelixError(
      'TOOL.UNKNOWN_TOOL',
      `There is no tool "${id}"${suggestion ? `; did you mean "${suggestion}"?` : '.'}`,
      { details: { tool: id, suggestion } },
    );
  }

  #consumer(id: string, route: Route): Consumer {
    const listener = { route };
    return {
      start: async () => {
        const other = this.#listeners.rival(id, route);
        if (other) {
          throw new HelixError(
            'WORKSPACE.INVALID',
            `tool://${id} already has a consumer, "${other.route.workflow.id}".`,
          );
        }
        this.#listeners.add(id, listener);
      },
      stop: async () => this.#listeners.remove(id, listener),
      receive: (exchange) => {
        const tool = this.#tools.of(exchange).get(id);
        if (!tool) throw this.#unknown(id);
        tool.admit(exchange, (args) => route.violations(args));
      },
    };
  }
}
