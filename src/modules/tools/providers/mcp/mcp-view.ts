import { untilAborted } from '../../../../common/engine/api/abort.js';
import { HelixError } from '../../../../common/engine/errors/helix-error.js';
import type { McpTarget } from '../../../../components/mcp/mcp.component.js';
import { McpLink } from '../../../../components/mcp/mcp-link.js';
import type { SdkConnection, SdkMcpCaller } from '../../../mcp-client/index.js';
import { type ListingInit, makeListing, type McpListing } from './mcp-listing.js';

export interface McpViewInit extends ListingInit {
  readonly target: McpTarget;
  readonly caller: SdkMcpCaller;
  /** Called when the tools have become others. */
  readonly onChange: () => void;
  /** Called with what a look at the server says of the credential. */
  readonly onJudged: (credential: 'accepted' | 'refused') => void;
}

/** How long a look that failed counts, and how long one may take, in milliseconds. */
const failedMs = 3_000;
const lookMs = 60_000;

/**
 * A server as one credential sees it: a session, and the list of its tools. A list that is there is answered at once and
 * renewed behind the back; while the server is away, the last one counts.
 */
export class McpView {
  readonly #link: McpLink<SdkConnection>;
  readonly #closed = new AbortController();
  #listing: McpListing | null = null;
  #look: Promise<McpListing> | null = null;
  #failure: { readonly until: number; readonly error: unknown } | null = null;
  #believedUntil = 0;
  #isOutdated = false;
  #usedAt = performance.now();

  constructor(private readonly init: McpViewInit) {
    const { target, caller, source } = init;
    this.#link = new McpLink({
      connect: () => caller.connect(target, () => this.#news()),
      clock: { now: () => performance.now() },
      reconnect: true,
      retryAfterMs: failedMs / 2,
      maxInFlight: source.maxInFlight,
    });
  }

  /** Milliseconds since somebody asked; 0 while a call is under way. */
  get idleMs(): number {
    return this.#link.isIdle ? performance.now() - this.#usedAt : 0;
  }

  /** The server did not tell its tools when it was asked last; those it told before count on. */
  get isStale(): boolean {
    return this.#listing !== null && this.#failure !== null;
  }

  /** @throws HelixError where the server never answered; the reason of the signal */
  read(signal: AbortSignal): Promise<McpListing> {
    this.#usedAt = performance.now();
    const isFresh = this.#listing !== null && performance.now() < this.#believedUntil;
    if (!isFresh) this.#lookAgain();
    if (this.#listing !== null) return Promise.resolve(this.#listing);
    if (this.#look !== null) return untilAborted(this.#look, signal);
    return Promise.reject(this.#failure?.error);
  }

  use<T>(work: (connection: SdkConnection) => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#usedAt = performance.now();
    return this.#link.use(work, signal);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#link.close();
    await this.#look?.catch(() => undefined);
  }

  #news(): void {
    this.#believedUntil = 0;
    // News during a look may be of what was read already.
    if (this.#look !== null) this.#isOutdated = true;
    else this.#lookAgain();
  }

  #lookAgain(): void {
    const now = performance.now();
    if (this.#look !== null || this.#closed.signal.aborted || now < (this.#failure?.until ?? 0)) return;
    this.#look = this.#list();
    this.#look
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#look = null;
        if (!this.#isOutdated) return;
        this.#isOutdated = false;
        this.#news();
      });
  }

  async #list(): Promise<McpListing> {
    const { source } = this.init;
    const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(lookMs)]);
    const list = await this.#link.use((connection) => {
      connection.listen();
      return connection.tools(signal);
    }, signal);
    const listing = await makeListing(list, this.init);
    const before = this.#listing;
    this.#listing = listing;
    this.#failure = null;
    this.#believedUntil = performance.now() + source.refreshMs;
    this.init.onJudged('accepted');
    if (before?.fingerprint !== listing.fingerprint) this.init.onChange();
    return listing;
  }

  #failed(error: unknown): void {
    this.#failure = { until: performance.now() + failedMs, error };
    if (this.#closed.signal.aborted) return;
    const { log, source } = this.init;
    const status = error instanceof HelixError ? error.details['httpStatus'] : undefined;
    if (status === 401 || status === 403) this.init.onJudged('refused');
    log.write('warn', 'An MCP server did not tell its tools.', { source: `mcp:${source.name}`, error });
  }
}
