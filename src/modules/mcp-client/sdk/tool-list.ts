import type { Client, RequestOptions, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { HelixError } from '../../../common/engine/errors/helix-error.js';

/** Pages and tools beyond these are not asked for: a cursor may have no end. */
const mostPages = 100;
const mostTools = 5_000;

export interface ToolList {
  /** Each as the server described it, unjudged: one bad definition must not take the others with it. */
  readonly tools: readonly unknown[];
  /** Why there may be more tools than these; null where these are all. */
  readonly cut: string | null;
}

/** Takes what the server says as it is; the SDK's own schema would refuse the whole page for one bad tool. */
const asItIs: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'helix', validate: (value) => ({ value }) },
};

/**
 * Walks all pages of `tools/list`.
 * @throws HelixError `UPSTREAM.UNREADABLE`, or what the client throws
 */
export async function walkTools(client: Client, options: RequestOptions): Promise<ToolList> {
  if (!client.getServerCapabilities()?.tools) return { tools: [], cut: null };
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, asItIs, options);
    const { tools: more, nextCursor } = (answer ?? {}) as { tools?: unknown; nextCursor?: unknown };
    if (!Array.isArray(more))
      throw new HelixError('UPSTREAM.UNREADABLE', 'The MCP server answered tools/list without a list.');
    tools.push(...(more as unknown[]).slice(0, mostTools - tools.length));
    if (tools.length >= mostTools) return { tools, cut: `only the first ${mostTools} tools are read` };
    if (typeof nextCursor !== 'string' || nextCursor === '') return { tools, cut: null };
    if (seen.has(nextCursor)) return { tools, cut: 'a cursor of the list leads back to itself' };
    seen.add((cursor = nextCursor));
  }
  return { tools, cut: `only the first ${mostPages} pages are read` };
}
