import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { abortReason, whenAborted } from '../../../common/engine/api/abort.js';
import type { McpAnswer, McpConnection } from '../../../components/mcp/mcp.component.js';
import { callFailure } from './failures.js';

export interface SdkConnectionInit {
  readonly client: Client;
  readonly timeoutMs: number;
  /** Says goodbye and ends what the session held. */
  readonly end: () => Promise<void>;
}

/** One session of the SDK's client. */
export class SdkConnection implements McpConnection {
  constructor(private readonly init: SdkConnectionInit) {}

  async call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpAnswer> {
    if (signal.aborted) throw abortReason(signal);
    const { client, timeoutMs } = this.init;
    // A signal of its own for each call: the SDK listens on it, and one signal may stand behind thousands of calls.
    const cancel = new AbortController();
    const forget = whenAborted(signal, () => cancel.abort(signal.reason));
    try {
      const result = await client.callTool(
        { name: tool, arguments: { ...args } },
        // Without a listener the SDK asks for no progress, and then none can keep the call alive.
        { signal: cancel.signal, timeout: timeoutMs, resetTimeoutOnProgress: true, onprogress: ignore },
      );
      return answerOf(result);
    } catch (thrown) {
      // The SDK gives a cancelled call the code of one that timed out.
      throw signal.aborted ? abortReason(signal) : callFailure(thrown, tool);
    } finally {
      forget();
    }
  }

  async close(): Promise<void> {
    await this.init.end();
  }
}

function ignore(): void {}

function answerOf({ content, structuredContent, isError }: CallToolResult): McpAnswer {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    text: texts.length > 0 ? texts.join('') : null,
    structured: structuredContent,
    isError: isError === true,
  };
}
