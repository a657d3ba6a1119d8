import { HelixError } from '../errors/helix-error.js';
import { anonymousCaller, type Caller } from './caller.js';
import { isolate } from './isolate.js';
import { Message } from './message.js';
import { MessageHeaders } from './message-headers.js';

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
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch, from the engine's clock. */
  readonly createdAt?: number;
}

const never = new AbortController().signal;

/** One message on its way through one workflow, with all that belongs to the journey. */
export class Exchange {
  readonly id: string;
  readonly pattern: ExchangePattern;
  readonly createdAt: number;
  readonly properties = new Map<string, unknown>();
  in: Message;
  caller: Caller;
  session: Session | null;
  /** Aborted when the caller leaves, the time-out passes or the engine stops hard. */
  signal: AbortSignal;
  failure: HelixError | null = null;
  /** Set by the `stop` step: the rest of the workflow is skipped, and that is no failure. */
  stopped = false;
  /** Where the exchange stands now. */
  workflowId: string | null = null;
  stepId: string | null = null;

  constructor(init: ExchangeInit) {
    this.id = init.id;
    this.pattern = init.pattern ?? 'InOut';
    this.createdAt = init.createdAt ?? Date.now();
    this.in = new Message(init.body ?? null, new MessageHeaders(init.headers));
    this.caller = init.caller ?? anonymousCaller;
    this.session = init.session ?? null;
    this.signal = init.signal ?? never;
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

  isFailed(): boolean {
    return this.failure !== null;
  }

  /** Marks the exchange as failed. The first failure stays: a later one would hide the reason. */
  fail(thrown: unknown): void {
    this.failure ??= HelixError.from(thrown);
  }

  /** An exchange for another branch: same journey data, no shared mutable state. */
  copy(id: string, pattern: ExchangePattern = this.pattern): Exchange {
    const twin = new Exchange({
      id,
      pattern,
      caller: this.caller,
      session: this.session,
      signal: this.signal,
      createdAt: this.createdAt,
    });
    twin.in = this.in.copy();
    for (const [name, value] of this.properties) twin.properties.set(name, isolate(value));
    twin.workflowId = this.workflowId;
    twin.stepId = this.stepId;
    return twin;
  }
}
