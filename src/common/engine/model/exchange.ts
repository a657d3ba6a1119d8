import { HelixError } from '../errors/helix-error.js';
import { BranchProperties } from './branch-properties.js';
import { Cancellation } from './cancellation.js';
import { anonymousCaller, type Caller } from './caller.js';
import type { CallerLink } from './caller-link.js';
import { isolate } from './isolate.js';
import { Message } from './message.js';
import { MessageHeaders } from './message-headers.js';
import type { Received } from './received.js';
import type { WorkspaceVersion } from './workspace-version.js';

/** `InOut`: somebody waits for the reply. `InOnly`: the message is handed over and forgotten. */
export type ExchangePattern = 'InOnly' | 'InOut';

/** State that lives between the calls of one MCP or agent session (contract/mcp-server-component, "Headers and session"). */
export interface Session {
  readonly id: string;
  state: Record<string, unknown>;
}

export interface ExchangeInit {
  readonly id: string;
  readonly pattern?: ExchangePattern;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly caller?: Caller;
  readonly session?: Session | null;
  /** Null where whoever sent the message can be told and asked nothing before the reply. */
  readonly link?: CallerLink | null;
  readonly signal?: AbortSignal | Cancellation;
  /** Default: the exchange's own id. */
  readonly correlationId?: string;
  /** Milliseconds since the epoch, from the engine's clock. */
  readonly createdAt?: number;
}

/** What an exchange follows to which nobody gave a signal: it is never aborted. */
export const noSignal = new Cancellation();

/**
 * The way of an exchange through one workflow, inside the way through the workflow that called it. The engine's own: no
 * step and no outside party can reach it by name. Whoever waited for something asynchronous and then finds another
 * journey on the exchange was given up meanwhile (a time-out) and must not touch the exchange any more.
 */
export interface Journey {
  /** Workflows around this one. */
  readonly level: number;
}

export const journey: unique symbol = Symbol('helix.journey');

/** The version of the workspace that an exchange is on, from its first workflow to its last; null before the first. */
export const version: unique symbol = Symbol('helix.version');

/** Where a failure arose. */
export interface FailurePlace {
  readonly workflowId: string | null;
  readonly stepId: string | null;
}

/** The property under which workflows read and set what a session keeps (contract/mcp-server-component). */
export const SESSION_STATE = 'helix.session.state';

/** One message on its way through one workflow, with all that belongs to the journey. */
export class Exchange {
  readonly id: string;
  readonly pattern: ExchangePattern;
  readonly createdAt: number;
  in: Message;
  caller: Caller;
  session: Session | null;
  /** The way back to the caller while the exchange runs; null where there is none. */
  link: CallerLink | null;
  /** Aborted when the caller leaves, the time-out passes or the engine stops hard; as a signal: {@link signal}. */
  cancellation: AbortSignal | Cancellation;
  failure: HelixError | null = null;
  /** Where `failure` arose, innermost workflow first found. */
  failedAt: FailurePlace | null = null;
  /** The failure an error handler deals with: data, readable as `error`, no longer a failure of the exchange. */
  caught: HelixError | null = null;
  /** The message as its workflow received it; null where no dead letter would be written of it. */
  received: Received | null = null;
  /** One id over all exchanges that came from the same message; the edge may set it from its caller's. */
  correlationId: string;
  /** Set by the `stop` step: the rest of the workflow is skipped, and that is no failure. */
  stopped = false;
  /** Where the exchange stands now. */
  workflowId: string | null = null;
  stepId: string | null = null;
  [journey]: Journey | null = null;
  [version]: WorkspaceVersion | null = null;
  /** The failure that `failedAt` belongs to: thrown on by an outer workflow it keeps its first place. */
  #placed: HelixError | null = null;
  #args: Readonly<Record<string, unknown>> | null = null;
  #properties: Map<string, unknown> | null;
  #hasBorrowedArgs = false;

  constructor(init: ExchangeInit, properties: Map<string, unknown> | null = null, message?: Message) {
    this.id = init.id;
    this.#properties = properties;
    this.correlationId = init.correlationId ?? init.id;
    this.pattern = init.pattern ?? 'InOut';
    this.createdAt = init.createdAt ?? Date.now();
    this.in = message ?? new Message(init.body ?? null, new MessageHeaders(init.headers));
    this.caller = init.caller ?? anonymousCaller;
    this.session = init.session ?? null;
    this.link = init.link ?? null;
    this.cancellation = init.signal ?? noSignal;
  }

  /** The cancellation as the platform's signal, made when it is first asked for: look at `isAborted` where that is enough. */
  get signal(): AbortSignal {
    return this.cancellation instanceof Cancellation ? this.cancellation.signal : this.cancellation;
  }

  get isAborted(): boolean {
    return this.cancellation.aborted;
  }

  /** What steps keep beside the message, by name. Made when somebody asks for it: many exchanges have none. */
  get properties(): Map<string, unknown> {
    return (this.#properties ??= new Map());
  }

  /** Arguments of the tool that runs, readable as `args`. */
  get args(): Readonly<Record<string, unknown>> | null {
    if (this.#hasBorrowedArgs) {
      this.#args = isolate(this.#args);
      this.#hasBorrowedArgs = false;
    }
    return this.#args;
  }

  set args(value: Readonly<Record<string, unknown>> | null) {
    this.#args = value;
    this.#hasBorrowedArgs = false;
  }

  get body(): unknown {
    return this.in.body;
  }

  set body(value: unknown) {
    this.in.body = value;
  }

  get headers(): MessageHeaders {
    return this.in.headers;
  }

  /** A property by name; `helix.session.state` is what the session keeps between calls. Undefined where it is not set. */
  property(name: string): unknown {
    return name === SESSION_STATE && this.session !== null ? this.session.state : this.#properties?.get(name);
  }

  setProperty(name: string, value: unknown): void {
    if (name === SESSION_STATE && this.session !== null) this.session.state = asState(value);
    else this.properties.set(name, value);
  }

  isFailed(): boolean {
    return this.failure !== null;
  }

  /** Marks the exchange as failed. The first failure stays: a later one would hide the reason. */
  fail(thrown: unknown): void {
    if (this.failure !== null) return;
    const failure = HelixError.from(thrown);
    this.failure = failure;
    this.#place(failure);
  }

  /** The failure becomes data for an error handler to read: `caught`, with `failedAt`. */
  handle(failure: HelixError): void {
    this.caught = failure;
    this.#place(failure);
  }

  /** Says where a failure arose before it is thrown on or set: in a branch, whose place is nearer to it than this one. */
  placed(failure: HelixError, at: FailurePlace | null): HelixError {
    this.#placed = failure;
    this.failedAt = at;
    return failure;
  }

  #place(failure: HelixError): void {
    if (this.#placed === failure) return;
    this.#placed = failure;
    this.failedAt = { workflowId: this.workflowId, stepId: this.stepId };
  }

  /** Takes the failure off the exchange, to throw it further, to handle it or to forget it. */
  takeFailure(): HelixError | null {
    const { failure } = this;
    this.failure = null;
    return failure;
  }

  /** An exchange that goes its own way: same journey data, no shared mutable state. */
  copy(id: string, pattern: ExchangePattern = this.pattern, message: Message = this.in.copy()): Exchange {
    const twin = this.#twin(id, pattern, message, null);
    if (this.#properties !== null)
      for (const [name, value] of this.#properties) twin.properties.set(name, isolate(value));
    twin.args = isolate(this.args);
    return twin;
  }

  /**
   * As {@link copy}, for a branch this exchange waits for: what is large is copied only where the branch looks at it.
   * @param message the branch's own
   */
  branch(id: string, message: Message): Exchange {
    const twin = this.#twin(
      id,
      this.pattern,
      message,
      this.#properties && new BranchProperties(this.#properties),
    );
    twin.#args = this.args;
    twin.#hasBorrowedArgs = true;
    return twin;
  }

  #twin(
    id: string,
    pattern: ExchangePattern,
    message: Message,
    properties: Map<string, unknown> | null,
  ): Exchange {
    const { caller, session, link, cancellation: signal, createdAt, correlationId } = this;
    const init = { id, pattern, caller, session, link, signal, createdAt, correlationId };
    const twin = new Exchange(init, properties, message);
    twin.workflowId = this.workflowId;
    twin.stepId = this.stepId;
    twin.caught = this.caught;
    twin.failedAt = this.failedAt;
    twin.received = this.received;
    twin[journey] = this[journey];
    twin[version] = this[version];
    return twin;
  }
}

function asState(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new HelixError('ENGINE.INTERNAL', `${SESSION_STATE} must be an object, such as { "count": 1 }.`);
}
