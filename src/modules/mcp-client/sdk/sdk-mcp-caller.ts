import {
  Client,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  SseError,
  type ClientOptions,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import type { EgressGuard, GuardedFetch } from '../../../common/platform/egress/index.js';
import { guardedFetch } from '../../../common/platform/egress/index.js';
import type { McpCaller, McpTarget } from '../../../components/mcp/mcp.component.js';
import { defaultAnswer } from './default-answer.js';
import { connectFailure } from './failures.js';
import { ProcessTransport } from './process.transport.js';
import { SdkConnection } from './sdk-connection.js';
import { StandingStream } from './standing-stream.js';
import { WatchedHttpTransport } from './watched-http.transport.js';

type NetworkTarget = Exclude<McpTarget, { transport: 'stdio' }>;

/** Fixed by contract/mcp-component, "Parameters". */
const identity = { name: 'helix-mcp-client', version: '1.0.0' };
const goodbyeMs = 2000;
/** Between two standing streams of one session, in milliseconds. */
const standingPauseMs = 30_000;
/** A server of the older generation may not answer a question it does not know. */
const stdioProbeMs = 5000;
const wasNotUnderstood: ReadonlySet<string> = new Set([
  SdkErrorCode.RequestTimeout,
  SdkErrorCode.EraNegotiationFailed,
  SdkErrorCode.ConnectionClosed,
]);

/** A transport with what must be done around it. */
interface Line {
  readonly transport: Transport;
  stderr(): string;
  /** Resolves once the server can speak without being asked, or will not. */
  heard(): Promise<void>;
  /** Before the transport closes. */
  goodbye(): Promise<void>;
  /** After it. */
  release(): void;
}

/** Connects with the SDK's client. */
export class SdkMcpCaller implements McpCaller {
  constructor(private readonly guard: EgressGuard) {}

  /**
   * A program of the older generation may end, or say nothing, when it is asked which one it speaks: then it is started
   * once more and not asked. Over HTTP the SDK itself falls back, on the same connection.
   * @param news called when the server says that its tools have changed
   */
  async connect(target: McpTarget, news?: () => void): Promise<SdkConnection> {
    if (target.transport !== 'stdio' || target.era !== 'auto') return this.#connect(target, news);
    return this.#connect(target, news).catch((thrown: unknown) => {
      const cause = thrown instanceof Error ? thrown.cause : undefined;
      if (cause instanceof SdkError && wasNotUnderstood.has(cause.code)) {
        return this.#connect({ ...target, era: 'legacy' }, news);
      }
      throw thrown;
    });
  }

  async #connect(target: McpTarget, news?: () => void): Promise<SdkConnection> {
    // A server of the older generation may ask its questions on the standing stream.
    const line = this.#lineTo(target, news !== undefined || target.elicitation === 'defaults');
    const client = new Client(identity, clientOptions(target));
    // Failures of calls reach their callers; what else the client notices (junk, late news) is nobody's.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no EventTarget
    client.onerror = (error) => closeOnLostStream(client, error);
    if (target.elicitation === 'defaults')
      client.setRequestHandler('elicitation/create', ({ params }) => defaultAnswer(params));
    if (news) client.setNotificationHandler('notifications/tools/list_changed', news);
    const end = async (): Promise<void> => {
      await line.goodbye().catch(() => undefined);
      await client.close().catch(() => undefined);
      await line.transport.close().catch(() => undefined);
      line.release();
    };
    try {
      await client.connect(line.transport, { timeout: target.connectTimeoutMs });
      // A question that comes before its stream is open would be lost.
      if (target.elicitation === 'defaults') await within(target.connectTimeoutMs, line.heard());
    } catch (thrown) {
      await end();
      throw connectFailure(thrown, shownOf(target), line.stderr());
    }
    const connection = new SdkConnection({
      client,
      timeoutMs: target.timeoutMs,
      hasHeaders: target.transport === 'http',
      end,
    });
    if (news) connection.listen();
    return connection;
  }

  #lineTo(target: McpTarget, isListening: boolean): Line {
    if (target.transport === 'stdio') return processLine(target);
    const { isOwn, maxMessageBytes } = target;
    const fetcher = guardedFetch({ guard: isOwn ? null : this.guard, maxBytes: maxMessageBytes });
    return target.transport === 'sse' ? sseLine(target, fetcher) : httpLine(target, fetcher, isListening);
  }
}

function processLine(target: Extract<McpTarget, { transport: 'stdio' }>): Line {
  const transport = new ProcessTransport(target);
  return {
    transport,
    stderr: () => transport.stderr,
    heard: () => Promise.resolve(),
    goodbye: () => Promise.resolve(),
    release: () => undefined,
  };
}

function httpLine(target: NetworkTarget, fetcher: GuardedFetch, isListening: boolean): Line {
  const standing = new StandingStream(fetcher, isListening ? standingPauseMs : Infinity);
  const transport = new WatchedHttpTransport(new URL(target.url), {
    fetch: standing.fetch,
    requestInit: { headers: target.headers },
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  });
  return {
    transport,
    stderr: () => '',
    heard: () => standing.opened,
    goodbye: () =>
      transport.sessionId === undefined ? Promise.resolve() : within(goodbyeMs, transport.terminateSession()),
    release: () => fetcher.close(),
  };
}

function sseLine(target: NetworkTarget, fetcher: GuardedFetch): Line {
  const transport = new SSEClientTransport(new URL(target.url), {
    fetch: (input, init) => fetcher.fetch(input, { ...init, headers: merged(target, init?.headers) }),
    requestInit: { headers: target.headers },
  });
  return {
    transport,
    stderr: () => '',
    heard: () => Promise.resolve(),
    goodbye: () => Promise.resolve(),
    release: () => fetcher.close(),
  };
}

/** With one stream for everything, its end is the session's: who waits must not wait for the time-out. */
function closeOnLostStream(client: Client, error: Error): void {
  if (error instanceof SseError) void client.close();
}

function clientOptions(target: McpTarget): ClientOptions {
  const modes: Record<McpTarget['era'], VersionNegotiationMode> = {
    auto: 'auto',
    legacy: 'legacy',
    modern: { pin: '2026-07-28' },
  };
  const { connectTimeoutMs } = target;
  const timeoutMs =
    target.transport === 'stdio' ? Math.min(stdioProbeMs, connectTimeoutMs) : connectTimeoutMs;
  return {
    ...(target.elicitation === 'defaults' ? { capabilities: { elicitation: { form: {} } } } : {}),
    // HTTP+SSE is older than the newer generation.
    versionNegotiation: {
      mode: target.transport === 'sse' ? 'legacy' : modes[target.era],
      probe: { timeoutMs },
    },
    // A foreign schema is not run on our main thread: one pattern of it could hold everybody up.
    jsonSchemaValidator: {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
  };
}

function merged(target: NetworkTarget, own: RequestInit['headers']): Headers {
  const headers = new Headers(target.headers);
  for (const [name, value] of new Headers(own)) headers.set(name, value);
  return headers;
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** The server as people may read it. */
function shownOf(target: McpTarget): string {
  return target.transport === 'stdio' ? target.command : target.url;
}
