import type { JsonSchema } from '../../common/engine/api/workflow-directory.js';
import type { CallerLink } from '../../common/engine/model/caller-link.js';
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
  /** Calls the listener after each change of what is offered; the returned function ends that. */
  onChange(listener: (change: SourceChange) => void): () => void;
  /** Prompts and resources that workflows give; absent where the source has none. */
  readonly offers?: OfferSource;
}

/** A list that changed, or a resource that says something else now. */
export type SourceChange =
  { readonly kind: 'tools' | 'prompts' | 'resources' } | { readonly kind: 'updated'; readonly uri: string };

/** What a client can get that is no tool. */
export interface OfferSource {
  /** Ordered by name. */
  prompts(caller: Caller): readonly PromptOffer[];
  /** @throws HelixError why the workflow failed */
  prompt(call: PromptCall): Promise<PromptResult>;
  templates(caller: Caller): readonly TemplateOffer[];
  /** Whether the URI is one of a resource or a template. */
  hasResource(uri: string, caller: Caller): boolean;
  /** @throws HelixError why the workflow failed */
  readResource(call: ResourceCall): Promise<ResourceContent>;
  /** The known values of an argument; null where there is no such prompt, template or argument. */
  completions(
    of: { readonly prompt: unknown } | { readonly template: unknown },
    argument: string,
    caller: Caller,
  ): readonly string[] | null;
}

/** What a run of a workflow for a client needs of the request. */
export interface OfferCall {
  readonly caller: Caller;
  readonly link: CallerLink;
  readonly signal: AbortSignal;
}

export interface PromptCall extends OfferCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ResourceCall extends OfferCall {
  readonly uri: string;
}

export interface PromptOffer {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

export interface TemplateOffer {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A block of content as MCP has it. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: object }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string };

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

export type ResourceContent = {
  readonly uri: string;
  readonly mimeType: string;
} & ({ readonly text: string } | { readonly blob: string });

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
  /** Whether a call may become a task of clients that know tasks, or must. */
  readonly task?: 'optional' | 'required';
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
  /** The way back to the caller while the tool runs. */
  readonly link: CallerLink;
}

export interface ToolResult {
  readonly text: string;
  /** Instead of the text, where the tool gave blocks of its own. */
  readonly content?: readonly ContentBlock[];
  /** A failure on our side, which a task reports as one of the protocol. */
  readonly fault?: { readonly code: number; readonly message: string };
  /** The same as plain data, where it is an object or an array. */
  readonly structured?: unknown;
  readonly isError?: boolean;
  /** For `_meta` of the answer. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface ResourceOffer {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}
