import { untilAborted } from '../../common/engine/api/abort.js';
import type { Clock } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { McpAnswer, McpConnection } from './mcp-caller.js';
import { Turnstile } from './turnstile.js';

export interface McpLinkInit<Connection extends McpConnection = McpConnection> {
  readonly connect: () => Promise<Connection>;
  readonly clock: Pick<Clock, 'now'>;
  readonly reconnect: boolean;
  /** Milliseconds that a failed connect counts; null until {@link McpLink.reset}. */
  readonly retryAfterMs: number | null;
  readonly maxInFlight: number;
}

/**
 * The one session of an endpoint. The first call opens it and all that come meanwhile wait for the same; when that fails,
 * the failure is the answer to every later call (contract/mcp-component, "Behavior notes").
 */
export class McpLink<Connection extends McpConnection = McpConnection> {
  #session: Promise<Connection> | null = null;
  #failedAt: number | null = null;
  #inUse = 0;
  #isClosed = false;
  readonly #turnstile: Turnstile;

  constructor(private readonly init: McpLinkInit<Connection>) {
    this.#turnstile = new Turnstile(init.maxInFlight);
  }

  get isIdle(): boolean {
    return this.#inUse === 0;
  }

  call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpAnswer> {
    return this.use((connection) => connection.call(tool, args, signal), signal);
  }

  /** Does something on the session; `work` is repeated on a new one where the lost one surely did not do it. */
  async use<T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#inUse++;
    try {
      const leave = await this.#turnstile.enter(signal);
      try {
        return await this.#use(work, signal);
      } finally {
        leave();
      }
    } finally {
      this.#inUse--;
    }
  }

  /** Closes the session and forgets what failed. The next call begins anew. */
  async reset(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    this.#failedAt = null;
    const connection = await session?.catch(() => null);
    await connection?.close();
  }

  /** As {@link reset}, for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.reset();
  }

  async #use<T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal): Promise<T> {
    const session = this.#open();
    // Who leaves does not take the connecting away from the others.
    const connection = await untilAborted(session, signal);
    try {
      return await work(connection);
    } catch (thrown) {
      const error = HelixError.from(thrown);
      if (!this.init.reconnect || error.code !== 'MCP.CONNECTION_LOST') throw error;
      // Of the calls that lost the same session, the first one drops it.
      if (this.#session === session) await this.reset();
      if (error.details['unsent'] !== true) throw error;
      return await work(await untilAborted(this.#open(), signal));
    }
  }

  #open(): Promise<Connection> {
    const { retryAfterMs, clock, connect } = this.init;
    if (this.#failedAt !== null && retryAfterMs !== null && clock.now() - this.#failedAt >= retryAfterMs) {
      this.#session = null;
      this.#failedAt = null;
    }
    if (this.#session) return this.#session;
    if (this.#isClosed)
      throw new HelixError('ENGINE.STOPPING', 'The session with the MCP server is being closed.');
    const session = connect();
    this.#session = session;
    session.catch(() => {
      if (this.#session === session) this.#failedAt = clock.now();
    });
    return session;
  }
}
