import type { Exchange, ExchangeInit } from '../model/exchange.js';
import type { EndpointUri } from '../model/endpoint-uri.js';
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

  /** Called once per distinct URI of the workspace. @throws HelixError `WORKSPACE.*` when the URI is wrong. */
  abstract endpoint(uri: EndpointUri): Endpoint;

  /** Called when the engine stops, after all consumers are stopped: close what the endpoints share. */
  async close(): Promise<void> {}
}

/** A parsed URI. An end that does not exist is a method that does not exist. */
export interface Endpoint {
  readonly uri: EndpointUri;
  /** Present where one may send to it. */
  producer?(): Processor;
  /** Present where one may listen on it. */
  consumer?(route: Route): Consumer;
  /**
   * True for consumers that let the outside in (`http-server`, `mcp-server`): they start last and stop first.
   */
  readonly edge?: boolean;
}

export interface Consumer {
  start(): Promise<void>;
  /** Stops taking new messages; what is in flight runs out. */
  stop(): Promise<void>;
  /** Where it listens once started, e.g. `http://127.0.0.1:8080/research`; for the start report. */
  readonly address?: string;
}

/** What a consumer is handed: the workflow that it triggers. */
export interface Route {
  readonly workflow: WorkflowInfo;
  /** All workflows of the engine, for consumers that expose them (`mcp-server`). */
  readonly directory: WorkflowDirectory;
  /** A new exchange for this workflow, with its time-out combined into `init.signal`. */
  exchange(init: Omit<ExchangeInit, 'id' | 'createdAt'>): Exchange;
  /** Runs the workflow on the exchange. Never rejects: a failure is `exchange.failure`, and the trigger decides. */
  run(exchange: Exchange): Promise<void>;
}
