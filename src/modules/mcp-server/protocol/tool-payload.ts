import { isRecord } from '../../../common/engine/model/is-record.js';
import type {
  ContentBlock,
  PromptMessage,
  ToolOffer,
  ToolResult,
} from '../../../components/mcp-server/tool-source.js';
import type { Revision } from './revisions.js';

/** A tool as a revision lists it: members a client of that time does not know are left out. */
export function toolPayload(offer: ToolOffer, revision: Revision): object {
  const { name, title, description, inputSchema, outputSchema, annotations } = offer;
  const hasOutput = revision >= '2025-06-18';
  return {
    name,
    ...(title !== undefined && hasOutput ? { title } : {}),
    ...(description !== undefined ? { description } : {}),
    inputSchema,
    ...(outputSchema !== undefined && hasOutput ? { outputSchema } : {}),
    ...(annotations !== undefined && revision >= '2025-03-26' ? { annotations } : {}),
  };
}

/** A result as a revision sends it. Structured content came as objects (2025-06-18) and grew to any JSON (2026-07-28). */
export function resultPayload(result: ToolResult, revision: Revision): object {
  const { text, content, structured, isError, meta } = result;
  const isSendable =
    structured !== undefined &&
    (revision >= '2026-07-28' || (revision >= '2025-06-18' && isRecord(structured)));
  return {
    content: content ? content.map((block) => blockFor(block, revision)) : [{ type: 'text', text }],
    ...(isSendable ? { structuredContent: structured } : {}),
    ...(isError ? { isError } : {}),
    ...(meta ? { _meta: meta } : {}),
  };
}

export function promptPayload(
  prompt: { readonly description?: string; readonly messages: readonly PromptMessage[] },
  revision: Revision,
): object {
  const messages = prompt.messages.map(({ role, content }) => ({
    role,
    content: blockFor(content, revision),
  }));
  return { ...(prompt.description === undefined ? {} : { description: prompt.description }), messages };
}

/** A block that a client of an older time does not know becomes text. */
function blockFor(block: ContentBlock, revision: Revision): object {
  const isNew =
    (block.type === 'audio' && revision < '2025-03-26') ||
    (block.type === 'resource_link' && revision < '2025-06-18');
  return isNew ? { type: 'text', text: JSON.stringify(block) } : block;
}
