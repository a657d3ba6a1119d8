/** Which MCP server, and how to speak to it. */
export type McpTarget = McpNetworkTarget | McpProcessTarget;

interface McpTargetBase {
  /** Which revision of the protocol: what the server speaks, or one of the two generations. */
  readonly era: 'auto' | 'modern' | 'legacy';
  /** Whether forms of the server are answered with their defaults; without it the server is told that nobody answers. */
  readonly elicitation: 'none' | 'defaults';
  /** Milliseconds to open the session. */
  readonly connectTimeoutMs: number;
  /** Milliseconds of a call without a sign of progress. */
  readonly timeoutMs: number;
  /** Largest message taken from the server, in bytes. */
  readonly maxMessageBytes: number;
}

export interface McpNetworkTarget extends McpTargetBase {
  readonly transport: 'http' | 'sse';
  readonly url: string;
  /** Sent with every request; they may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The workspace itself listens there: no matter of egress. */
  readonly isOwn: boolean;
}

export interface McpProcessTarget extends McpTargetBase {
  readonly transport: 'stdio';
  /** An executable file, started without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables the child gets beside the few harmless ones. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
}

/** What a tool answered. */
export interface McpAnswer {
  /** All text content, in order, joined. Null where there was none. */
  readonly text: string | null;
  readonly structured: unknown;
  readonly isError: boolean;
}

export interface McpConnection {
  /**
   * @throws HelixError `MCP.CONNECTION_LOST` (`details.unsent` where the server surely did not run the tool),
   * `MCP.TOOL_FAILED`, `ENGINE.TIMED_OUT`, or the reason of the signal
   */
  call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpAnswer>;
  /** Ends the session, and the process where there is one. Never rejects. */
  close(): Promise<void>;
}

/** What mcp:// asks of the world. */
export interface McpCaller {
  /** One session with the server. @throws HelixError `MCP.CONNECT_FAILED`, `MCP.EGRESS_REFUSED` */
  connect(target: McpTarget): Promise<McpConnection>;
}
