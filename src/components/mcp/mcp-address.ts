import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { McpTarget } from './mcp-caller.js';
import type { McpOptions } from './options.js';

export interface McpAddress {
  /** host:port, with a path where the server has one, or the path of an executable. */
  readonly server: string;
  /** Empty where only the header names the tool. */
  readonly tool: string;
}

/** Everything before the last `/` is the server, the last segment the tool (contract/mcp-component, "URI shape"). */
export function mcpAddress(uri: EndpointUri): McpAddress {
  const slash = uri.path.lastIndexOf('/');
  const server = slash < 0 ? uri.path : uri.path.slice(0, slash);
  if (server === '') {
    throw new HelixError(
      'WORKSPACE.INVALID',
      `"mcp://${uri.path}" names no server: write mcp://host:port/tool, or mcp:///path/of/server/tool?transport=stdio.`,
    );
  }
  return { server, tool: slash < 0 ? '' : decodeName(uri.path.slice(slash + 1)) };
}

/** @throws HelixError `WORKSPACE.*` where address and options do not go together */
export function mcpTarget(server: string, options: McpOptions, isOwn: boolean): McpTarget {
  const { transport, era, elicitation } = options;
  const base = {
    era,
    elicitation,
    connectTimeoutMs: options['connect-timeout'],
    timeoutMs: options.timeout,
    maxMessageBytes: options['max-message-bytes'],
  };
  if (transport === 'stdio') {
    const { args, env, cwd } = options;
    return { ...base, transport, command: server, args, env, cwd };
  }
  const url = `${options.scheme}://${server}`;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || parsed.hostname === '' || parsed.username !== '' || parsed.password !== '') {
    throw new HelixError(
      'WORKSPACE.INVALID',
      `"mcp://${server.replace(/^.*@/, '***@')}" is no address of a server: write mcp://host:port/tool; credentials belong in "bearer" or "headers".`,
    );
  }
  const authorization: Record<string, string> =
    options.bearer === null ? {} : { Authorization: `Bearer ${options.bearer}` };
  return { ...base, transport, url, headers: { ...options.headers, ...authorization }, isOwn };
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
