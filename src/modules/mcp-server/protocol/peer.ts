/** Severities of RFC 5424 as MCP names them, least first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type McpLogLevel = (typeof logLevels)[number];

export function isLogLevel(value: unknown): value is McpLogLevel {
  return (logLevels as readonly unknown[]).includes(value);
}

/** What is known of a client: from its handshake (legacy) or its request (modern). */
export interface PeerFacts {
  capabilities: Readonly<Record<string, unknown>>;
  /** The least severity it wants to be told; null where it asked for nothing. */
  logLevel: McpLogLevel | null;
  /** URIs whose updates it wants to be told; null where it subscribes in another way. */
  readonly subscriptions: Set<string> | null;
}

/** The client behind one request. */
export interface Peer {
  readonly facts: PeerFacts;
  /** Sends a notification ahead of the answer; lost where the transport has no way for it. */
  notify(message: object): void;
  /** Asks the client something and waits; null where the era or the transport has no such requests. */
  readonly request: ((method: string, params: object, signal: AbortSignal) => Promise<unknown>) | null;
}

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Whether a client said that it has a capability, or an extension. */
export function hasCapability({ capabilities }: PeerFacts, name: string, part?: string): boolean {
  const found = memberOf(capabilities, name);
  if (part === undefined || found === undefined) return found !== undefined;
  return memberOf(found, part) !== undefined;
}

function memberOf(record: unknown, name: string): object | undefined {
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, name)) return undefined;
  const value = (record as Record<string, unknown>)[name];
  return typeof value === 'object' && value !== null ? value : undefined;
}
