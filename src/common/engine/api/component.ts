import type { Exchange, ExchangeInit } from '../model/exchange.js';
import type { EndpointUri } from '../model/endpoint-uri.js';
import type { FieldProblem } from '../errors/helix-error.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../model/workflow-definition.js';
import type { WorkflowDirectory, WorkflowInfo } from './workflow-directory.js';
import type { OptionTable } from './options.js';
import type { Processor } from './processor.js';

/** A URI scheme: creates endpoints and holds what they share (queues, listeners, connections). */
export abstract class Component {
  abstract readonly scheme: string;
  /** One sentence for the catalogue. */
  abstract readonly description: string;
  /** The options its URIs take: parsing, refusal of unknown ones, JSON Schema and docs come from this table. */
  abstract readonly options: OptionTable;

  /**
   * Called once per distinct URI when a workspace is checked and again when it is started: opens and registers nothing.
   * @throws HelixError `WORKSPACE.*` when the URI is wrong.
   */
  abstract endpoint(uri: EndpointUri): Endpoint;

  /**
   * Looks at a whole workspace before anything of it is built and reports what is wrong for this component. Must change
   * nothing: `helix validate` and a reload that is refused call it too.
   */
  review?(workspace: WorkspaceDefinition, report: (problem: WorkspaceProblem) => void): void;

  /**
   * Takes over what the workspace says for this component; called at each start and each reload, after a review without
   * errors. Exchanges of older versions may still be on their way: see `Versioned`.
   */
  adopt?(workspace: WorkspaceDefinition, version: AdoptedVersion): void;

  /**
   * The URI that keeps what nobody waits for and whose workflow names no `dead-letter`; at most one component has it.
   */
  lastResort?(workflowId: string): string;

  /** Called when the engine stops, after all consumers are stopped: close what the endpoints share. */
  async close(): Promise<void> {}
}

/** The version of the workspace that is taken over. */
export interface AdoptedVersion {
  readonly number: number;
  /** The oldest version that exchanges may still be on. */
  readonly oldest: number;
}

/** A parsed URI. An end that does not exist is a method that does not exist. */
export interface Endpoint {
  readonly uri: EndpointUri;
  /** Present where one may send to it. */
  producer?(): Processor;
  /** Present where one may listen on it. */
  consumer?(route: Route): Consumer;
  /**
   * True for consumers from which new work comes: those that let the outside in (`http-server`, `mcp-server`) and those
   * that start it by themselves (`timer`). They start last and stop first, so that what is on its way can run out.
   */
  readonly edge?: boolean;
  /**
   * Set where producer and consumer meet inside one engine under scheme and path (`direct`, `seda`, `tool`): an address
   * takes `one` consumer or `many`. A second consumer where one is allowed, and a fixed target on which no workflow
   * listens, are then problems of the workspace.
   */
  readonly pairing?: 'one' | 'many';
  /** Asks of every workflow that sends to it to keep each message as it was received (`exchange.received`). */
  readonly wantsReceived?: boolean;
  /**
   * A message that fails is not lost with it: the next tick does the same work (`timer`), or the source keeps it (`file`).
   * It goes to no last resort.
   */
  readonly comesAgain?: boolean;
  /** No message may choose such an address (`control`): a computed target is refused unless the workspace has it in writing. */
  readonly writtenOnly?: boolean;
  /** Forgets what a failed attempt left (a sticky connect error); called when a workflow that uses it is restarted. */
  reset?(): void | Promise<void>;
}

export interface Consumer {
  /**
   * Opens what it needs. When the workspace is reloaded, it is called before the new version counts, beside the old
   * version's consumer on the same address: new messages are that one's until {@link Route.serves} says otherwise.
   */
  start(): Promise<void>;
  /**
   * Stops taking new messages; what is in flight runs out. Where another version of the workspace has taken over
   * (`route.serves(null)` is false), nobody must notice: what both share stays open.
   */
  stop(): Promise<void>;
  /** Where it listens once started, e.g. `http://127.0.0.1:8080/research`; for the start report. */
  readonly address?: string;
  /**
   * Messages it has accepted and not begun (`seda`, requests that are still being received). When the engine stops or
   * another version takes over, it lets them run out as those on their way, before it stops the consumer.
   */
  readonly backlog?: number;
  /**
   * Makes an exchange that arrives through the directory equal to one that came through this trigger: arguments checked,
   * headers set. @throws HelixError what is wrong with it
   */
  receive?(exchange: Exchange): void | Promise<void>;
}

/** What a consumer is handed: the workflow that it triggers. */
export interface Route {
  readonly workflow: WorkflowInfo;
  /** All workflows of the engine, for consumers that expose them (`mcp-server`). */
  readonly directory: WorkflowDirectory;
  /**
   * Whether a message is for this workflow: an exchange by the version of the workspace that it is on, null for a message
   * that comes now. False while the workflow waits for its version to count, and when a reload has replaced it.
   */
  serves(exchange: Exchange | null): boolean;
  /** Whether both are of one version of the workspace, so that one of them is too much where one may listen. */
  coexistsWith(other: Route): boolean;
  /** A new exchange for this workflow. Its time-out starts with `run`. */
  exchange(init: Omit<ExchangeInit, 'id' | 'createdAt'>): Exchange;
  /** What is wrong with a value by the workflow's `input-schema`; empty where nothing is or there is no schema. */
  violations(value: unknown): readonly FieldProblem[];
  /** Runs the workflow on the exchange. Never rejects: a failure is `exchange.failure`, and the trigger decides. */
  run(exchange: Exchange): Promise<void>;
  /**
   * As {@link run}, without a promise where every step was synchronous: for components that hand the same exchange over
   * (`direct`), so that the hand-over costs no turn.
   */
  pass(exchange: Exchange): void | Promise<void>;
}
