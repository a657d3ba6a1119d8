import type { ToolSource } from '../../../components/mcp-server/tool-source.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import { isRecord, RpcError, rpcCodes, type Params } from './json-rpc.js';
import { pageOf } from './page.js';
import { isLegacyRevision, latestLegacy, type LegacyRevision, type Revision } from './revisions.js';
import { resultPayload, toolPayload } from './tool-payload.js';

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
}

/** What an MCP endpoint is about, whatever it speaks over. */
export interface ServedTools {
  readonly identity: ServerIdentity;
  readonly source: ToolSource;
}

/** One request as a method sees it. */
export interface Asked {
  readonly params: Params;
  readonly caller: Caller;
  readonly revision: Revision;
  readonly signal: AbortSignal;
}

/** @throws RpcError */
export type Method = (served: ServedTools, asked: Asked) => object | Promise<object>;

export const capabilities = { tools: { listChanged: true }, resources: {} } as const;

export const listTools: Method = async ({ source }, { caller, params, revision }) => {
  const { items, nextCursor } = pageOf(await source.tools(caller), params['cursor']);
  return { tools: items.map((offer) => toolPayload(offer, revision)), ...(nextCursor ? { nextCursor } : {}) };
};

export const callTool: Method = async ({ source }, { params, caller, revision, signal }) => {
  const name = params['name'];
  const args = params['arguments'] === undefined ? {} : params['arguments'];
  const meta = params['_meta'] ?? {};
  if (typeof name !== 'string')
    throw new RpcError(rpcCodes.invalidParams, '"name" must be the name of a tool.');
  if (!isRecord(args)) throw new RpcError(rpcCodes.invalidParams, '"arguments" must be an object.');
  if (!isRecord(meta)) throw new RpcError(rpcCodes.invalidParams, '"_meta" must be an object.');
  const result = await source.call({ name, args, meta, caller, signal });
  if (result === null) throw new RpcError(rpcCodes.invalidParams, `Unknown tool: ${name.slice(0, 128)}`);
  return resultPayload(result, revision);
};

export const listResources: Method = ({ source }, { caller, params }) => {
  pageOf([], params['cursor']);
  return { resources: source.resources(caller) };
};

export const listResourceTemplates: Method = (_served, { params }) => {
  pageOf([], params['cursor']);
  return { resourceTemplates: [] };
};

export const readResource: Method = async ({ source }, { params, caller, revision }) => {
  const uri = params['uri'];
  if (typeof uri !== 'string')
    throw new RpcError(rpcCodes.invalidParams, '"uri" must be the URI of a resource.');
  const content = await source.read(uri, caller);
  if (content) return { contents: [content] };
  const code = revision >= '2026-07-28' ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
  throw new RpcError(code, `Resource not found: ${uri.slice(0, 256)}`, { uri: uri.slice(0, 256) });
};

/** Not declared, yet asked for by clients that do not look: an empty list is the kinder truth. */
export const listPrompts: Method = (_served, { params }) => {
  pageOf([], params['cursor']);
  return { prompts: [] };
};

export const noPrompt: Method = () => {
  throw new RpcError(rpcCodes.invalidParams, 'This server has no prompts.');
};

const complete: Method = (_served, { params }) => {
  const { ref, argument } = params;
  const isSound =
    isRecord(ref) &&
    (ref['type'] === 'ref/prompt' || ref['type'] === 'ref/resource') &&
    isRecord(argument) &&
    typeof argument['name'] === 'string' &&
    typeof argument['value'] === 'string';
  throw new RpcError(
    rpcCodes.invalidParams,
    isSound
      ? 'There is nothing to complete: this server has no prompts and no resource templates.'
      : '"ref" must name a prompt or a resource, and "argument" a name and a value.',
  );
};

const logLevels = new Set(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);

/** Accepted so that clients which set a level at once go on; a workflow's log is the operator's, not the caller's. */
const setLogLevel: Method = (_served, { params }) => {
  if (typeof params['level'] === 'string' && logLevels.has(params['level'])) return {};
  throw new RpcError(rpcCodes.invalidParams, `"level" must be one of ${[...logLevels].join(', ')}.`);
};

export interface InitializeResult {
  readonly protocolVersion: LegacyRevision;
  readonly capabilities: object;
  readonly serverInfo: ServerIdentity;
}

/** Agrees on the revision the client asked for if it is one of ours, else on our newest (MCP, "Version negotiation"). */
export const initialize = ({ identity }: ServedTools, params: Params): InitializeResult => {
  const wanted = params['protocolVersion'];
  if (typeof wanted !== 'string')
    throw new RpcError(rpcCodes.invalidParams, '"protocolVersion" must be text.');
  return {
    protocolVersion: isLegacyRevision(wanted) ? wanted : latestLegacy,
    capabilities: { ...capabilities, logging: {} },
    serverInfo: identity,
  };
};

/** A map and no object: `constructor` is no method. */
export const legacyMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['ping', () => ({})],
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listResourceTemplates],
  ['resources/read', readResource],
  ['prompts/list', listPrompts],
  ['prompts/get', noPrompt],
  ['completion/complete', complete],
  ['logging/setLevel', setLogLevel],
]);
