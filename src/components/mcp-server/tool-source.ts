import type { JsonSchema } from '../../common/engine/api/workflow-directory.js';
import type { Caller } from '../../common/engine/model/caller.js';

/**
 * What an MCP server serves, whoever has it: the workflows of an engine (`mcp-server://`) or the catalogue of a
 * workspace (`/mcp`). The protocol knows no more of Helix than this.
 */
export interface ToolSource {
  /** What the caller may call, ordered by name. The same array again for as long as nothing changed, if possible. */
  tools(caller: Caller): readonly ToolOffer[] | Promise<readonly ToolOffer[]>;
  /** One of these tools, or null where the caller is offered none of that name. */
  find(name: string, caller: Caller): ToolOffer | null | Promise<ToolOffer | null>;
  /**
   * Never rejects for a failure of the tool: that is a result with `isError`. Null where the caller is offered no such
   * tool, whatever the reason.
   */
  call(call: ToolCall): Promise<ToolResult | null>;
  resources(caller: Caller): readonly ResourceOffer[];
  /** Null where the caller is offered no such resource. */
  read(uri: string, caller: Caller): ResourceText | null | Promise<ResourceText | null>;
  /** Calls the listener after each change of the tools; the returned function ends that. */
  onChange(listener: () => void): () => void;
}

export interface ToolOffer {
  /** `[a-zA-Z0-9_.-]`, 1 to 128 characters. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Its root has `type: object` and `properties`. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Hints of the MCP specification: `readOnlyHint`, `idempotentHint`, … */
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly name: string;
  /** As sent, plain data of its own. */
  readonly args: Readonly<Record<string, unknown>>;
  /** `params._meta` of the request, `{}` where there is none. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Aborted when the caller cancels or goes away. */
  readonly signal: AbortSignal;
}

export interface ToolResult {
  readonly text: string;
  /** The same as plain data, where it is an object or an array. */
  readonly structured?: unknown;
  readonly isError?: boolean;
  /** For `_meta` of the answer. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface ResourceOffer {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}
