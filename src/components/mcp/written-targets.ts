import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { entry, plain, type SourceNode } from '../../common/engine/model/source-node.js';
import type { WorkspaceDefinition } from '../../common/engine/model/workflow-definition.js';

/** What the author of the workspace wrote down, in contrast to what a message may say at run time. */
export interface WrittenTargets {
  /** Identities of the `mcp://` URIs that stand in the workspace. */
  readonly uris: ReadonlySet<string>;
  /** `host:port` of its `mcp-server://` triggers. */
  readonly servers: readonly { readonly host: string; readonly port: string }[];
}

export function writtenTargets(workspace: WorkspaceDefinition): WrittenTargets {
  const uris = new Set<string>();
  const visit = (node: SourceNode | null): void => collect(node, uris);
  for (const { errorHandler, onException, interceptors } of [workspace, ...workspace.workflows]) {
    for (const node of [errorHandler, onException, interceptors]) visit(node);
  }
  for (const { steps } of [...workspace.workflows, ...workspace.tools])
    for (const { body } of steps) visit(body);
  for (const nodes of workspace.sections.values()) for (const node of nodes) visit(node);
  const servers = workspace.workflows.flatMap(({ trigger }) => {
    const found = /^mcp-server:\/\/(?:\[([^\]]+)\]|([^:/?]+)):(\d+)/i.exec(trigger.uri);
    return found ? [{ host: found[1] ?? found[2] ?? '', port: found[3] ?? '' }] : [];
  });
  return { uris, servers };
}

/** Whether the workspace itself listens there: loopback under any of its names, and the host as written. */
export function isOwnServer(servers: WrittenTargets['servers'], url: string): boolean {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return servers.some(
    (server) =>
      server.port === (port || (protocol === 'https:' ? '443' : '80')) &&
      (server.host.toLowerCase() === host ||
        (isLoopback(host) && (isAny(server.host) || isLoopback(server.host)))),
  );
}

function collect(node: SourceNode | null, uris: Set<string>): void {
  if (node === null) return;
  if (node.kind === 'scalar') add(node, {}, uris);
  else if (node.kind === 'list') for (const item of node.items) collect(item, uris);
  else {
    const uri = entry(node, 'uri');
    const parameters = entry(node, 'parameters');
    if (uri && parameters?.kind === 'map') add(uri, plain(parameters) as Record<string, unknown>, uris);
    for (const { value } of node.entries) collect(value, uris);
  }
}

function add(node: SourceNode, parameters: Readonly<Record<string, unknown>>, uris: Set<string>): void {
  if (node.kind !== 'scalar' || typeof node.value !== 'string' || !/^\s*mcp:/i.test(node.value)) return;
  try {
    uris.add(EndpointUri.parse(node.value, parameters).identity);
  } catch {
    // Text that only looks like a URI; where it is one, whoever compiles it says what is wrong.
  }
}

const isAny = (host: string): boolean => host === '0.0.0.0' || host === '::';
const isLoopback = (host: string): boolean =>
  host === '::1' || host.toLowerCase() === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(host);
