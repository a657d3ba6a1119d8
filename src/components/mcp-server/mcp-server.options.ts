import { isDeepStrictEqual } from 'node:util';
import { choice, duration, integer, list, text, type OptionValues } from '../../common/engine/api/options.js';
import { guardOptions } from '../../common/engine/policies/index.js';

/** The options of `mcp-server://` (contract/mcp-server-component, "Parameters"). */
export const mcpServerOptions = {
  transport: choice(
    'http is Streamable HTTP, sse the older HTTP+SSE, stdio the standard streams. By default stdio for mcp-server://stdio, else http.',
    ['http', 'sse', 'stdio'],
  ),
  name: text('The name the server tells its clients.', 'helix-mcp'),
  version: text('The version the server tells its clients.', '1.0.0'),
  workflows: list('Ids of the workflows to expose. Without the option all that can be exposed are.'),
  ...guardOptions,
  cors_origins: list('Origins whose browser pages may call, e.g. https://app.example; * is any.'),
  allowed_tools: list('Names of the tools that may be seen and called. Without the option all may.'),
  blocked_tools: list('Names of tools that may not be seen or called, whatever allowed_tools says.'),
  tasks: list('Tools whose calls become tasks, for clients that know the Tasks extension (MCP 2026-07-28).'),
  tasks_required: list('Tools that are only offered as tasks: other clients cannot call them.'),
  poll_after: duration(
    'How long the event stream of a call stays open before a client of MCP 2025-11-25 is asked to come back for the answer. Without the option it stays open.',
  ),
  max_body_bytes: integer('Largest body of a request, in bytes.', 1_048_576, { minimum: 1 }),
};

export type McpServerOptions = OptionValues<typeof mcpServerOptions>;

/** Options that speak of a network, which stdio has none of. */
export const networkOptions: readonly string[] = [...Object.keys(guardOptions), 'cors_origins'];

/** Whether both let in the same callers; how often a caller may come is no part of that. */
export function sameDoor(one: McpServerOptions, other: McpServerOptions): boolean {
  const names = ['api_keys', 'ip_allowlist', 'trusted_proxies', 'cors_origins'] as const;
  return names.every((name) => isDeepStrictEqual(one[name], other[name]));
}
