import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { abortReason, untilAborted, whenAborted } from '../../../common/engine/api/abort.js';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { McpAnswer, McpConnection } from '../../../components/mcp/mcp.component.js';
import { callFailure } from './failures.js';
import { type ToolList, walkTools } from './tool-list.js';
import { ToolSchemas } from './tool-schemas.js';

export type { ToolList } from './tool-list.js';

/** MCP 2026-07-28: the headers of a call are not what its arguments say. */
const headerMismatch = -32020;

export interface SdkConnectionInit {
  readonly client: Client;
  readonly timeoutMs: number;
  /** Whether arguments can go out as headers, which only Streamable HTTP has. */
  readonly hasHeaders: boolean;
  /** Says goodbye and ends what the session held. */
  readonly end: () => Promise<void>;
}

/** What a tool answered, with all parts of its content as they came. */
export interface SdkAnswer extends McpAnswer {
  readonly content: readonly unknown[];
}

/** What may go with a call. */
export interface CallExtras {
  /** Sent as `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The input schema as the server told it: what it marks with `x-mcp-header` goes out as a header. */
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
}

/** One session of the SDK's client. */
export class SdkConnection implements McpConnection {
  #isListening = false;
  readonly #schemas: ToolSchemas;

  constructor(private readonly init: SdkConnectionInit) {
    const { client, hasHeaders, timeoutMs } = init;
    this.#schemas = new ToolSchemas(() =>
      hasHeaders && client.getProtocolEra() === 'modern' ? walkTools(client, { timeout: timeoutMs }) : null,
    );
  }

  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    extras: CallExtras = {},
  ): Promise<SdkAnswer> {
    if (extras.inputSchema) return this.#call(tool, args, signal, extras);
    const inputSchema = await untilAborted(this.#schemas.of(tool), signal);
    try {
      return await this.#call(tool, args, signal, { ...extras, inputSchema });
    } catch (thrown) {
      // The server compares the headers before it runs anything: its tool is another than the one it told of.
      if (HelixError.from(thrown).details['jsonRpcCode'] !== headerMismatch || !inputSchema) throw thrown;
      this.#schemas.forget();
      const renewed = await untilAborted(this.#schemas.of(tool), signal);
      return this.#call(tool, args, signal, { ...extras, inputSchema: renewed });
    }
  }

  /**
   * All tools of the server, as it describes them.
   * @throws HelixError as {@link McpConnection.call}, `UPSTREAM.UNREADABLE`
   */
  tools(signal: AbortSignal): Promise<ToolList> {
    const { client, timeoutMs } = this.init;
    return this.#cancellable('tools/list', signal, (cancel) =>
      walkTools(client, { signal: cancel, timeout: timeoutMs }),
    );
  }

  /**
   * Asks a server of the newer generation for news of its tools; one of the older tells them unasked. Nothing where they
   * are asked for already, or the server has none to tell.
   */
  listen(): void {
    const { client } = this.init;
    const tells = client.getServerCapabilities()?.tools?.listChanged === true;
    if (this.#isListening || !tells || client.getProtocolEra() !== 'modern') return;
    this.#isListening = true;
    const forget = (): void => void (this.#isListening = false);
    client.listen({ toolsListChanged: true }).then(({ closed }) => closed.then(forget), forget);
  }

  async close(): Promise<void> {
    await this.init.end();
  }

  async #call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    { meta, inputSchema }: CallExtras,
  ): Promise<SdkAnswer> {
    const { client, timeoutMs } = this.init;
    const result = await this.#cancellable(tool, signal, (cancel) =>
      client.callTool(
        { name: tool, arguments: { ...args }, ...(meta ? { _meta: { ...meta } } : {}) },
        {
          signal: cancel,
          timeout: timeoutMs,
          // Without a listener the SDK asks for no progress, and then none can keep the call alive.
          resetTimeoutOnProgress: true,
          onprogress: ignore,
          ...(inputSchema ? { toolDefinition: { name: tool, inputSchema: inputSchema as never } } : {}),
        },
      ),
    );
    return answerOf(result);
  }

  /** With a signal of its own for each request: the SDK listens on it, and one may stand behind thousands of them. */
  async #cancellable<T>(
    what: string,
    signal: AbortSignal,
    work: (cancel: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) throw abortReason(signal);
    const cancel = new AbortController();
    const forget = whenAborted(signal, () => cancel.abort(signal.reason));
    try {
      return await work(cancel.signal);
    } catch (thrown) {
      // The SDK gives a cancelled call the code of one that timed out.
      throw signal.aborted ? abortReason(signal) : callFailure(thrown, what);
    } finally {
      forget();
    }
  }
}

function ignore(): void {}

function answerOf({ content, structuredContent, isError }: CallToolResult): SdkAnswer {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    text: texts.length > 0 ? texts.join('') : null,
    structured: structuredContent,
    isError: isError === true,
    content,
  };
}
