import { isRecord } from '../../../common/engine/model/is-record.js';
import type { ToolResult, ToolSource } from '../../../components/mcp-server/tool-source.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import { RpcError, rpcCodes, type Params } from './json-rpc.js';
import { pageOf } from './page.js';
import { isLogLevel, logLevels, type Peer } from './peer.js';
import type { RequestStates } from './request-state.js';
import { isLegacyRevision, latestLegacy, type LegacyRevision, type Revision } from './revisions.js';
import { runAsking, runAsTask, takesTask, type RunParts } from './runs.js';
import type { TaskShelf } from './tasks.js';
import { promptPayload, resultPayload, toolPayload } from './tool-payload.js';

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
}

/** What an MCP endpoint is about, whatever it speaks over. */
export interface ServedTools {
  readonly identity: ServerIdentity;
  readonly source: ToolSource;
  readonly states: RequestStates;
  /** Null where no tool can be a task. */
  readonly tasks: TaskShelf | null;
}

/** One request as a method sees it. */
export interface Asked {
  readonly params: Params;
  readonly caller: Caller;
  readonly revision: Revision;
  readonly signal: AbortSignal;
  readonly peer: Peer;
}

/** @throws RpcError */
export type Method = (served: ServedTools, asked: Asked) => object | Promise<object>;

/** What a server can do depends on whether its source has prompts and resources of workflows. */
export function capabilitiesOf({ source }: ServedTools): object {
  const tools = { listChanged: true };
  if (!source.offers) return { tools, resources: {} };
  return {
    tools,
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  };
}

export const listTools: Method = async ({ source }, { caller, params, revision }) => {
  const { items, nextCursor } = pageOf(await source.tools(caller), params['cursor']);
  return { tools: items.map((offer) => toolPayload(offer, revision)), ...(nextCursor ? { nextCursor } : {}) };
};

export const callTool: Method = async (served, asked) => {
  const { source, tasks } = served;
  const { params, caller, revision } = asked;
  const name = params['name'];
  const args = params['arguments'] === undefined ? {} : params['arguments'];
  const meta = params['_meta'] ?? {};
  if (typeof name !== 'string')
    throw new RpcError(rpcCodes.invalidParams, '"name" must be the name of a tool.');
  if (!isRecord(args)) throw new RpcError(rpcCodes.invalidParams, '"arguments" must be an object.');
  if (!isRecord(meta)) throw new RpcError(rpcCodes.invalidParams, '"_meta" must be an object.');
  const work = async (run: RunParts): Promise<ToolResult> => {
    const result = await source.call({ name, args, meta, caller, ...run });
    if (result !== null) return result;
    throw new RpcError(rpcCodes.invalidParams, `Unknown tool: ${name.slice(0, 128)}`);
  };
  if (tasks !== null && revision >= '2026-07-28') {
    const task = (await source.find(name, caller))?.task;
    if (task !== undefined && takesTask(task === 'required', asked))
      return runAsTask(served, asked, tasks, task === 'required', work);
  }
  return runAsking('tools/call', served, asked, async (run) => resultPayload(await work(run), revision));
};

export const listResources: Method = ({ source }, { caller, params }) => {
  pageOf([], params['cursor']);
  return { resources: source.resources(caller) };
};

export const listResourceTemplates: Method = ({ source }, { params, caller }) => {
  pageOf([], params['cursor']);
  return { resourceTemplates: source.offers?.templates(caller) ?? [] };
};

export const readResource: Method = async (served, asked) => {
  const { params, caller, revision } = asked;
  const uri = params['uri'];
  if (typeof uri !== 'string')
    throw new RpcError(rpcCodes.invalidParams, '"uri" must be the URI of a resource.');
  const own = await served.source.read(uri, caller);
  if (own) return { contents: [own] };
  const { offers } = served.source;
  if (offers?.hasResource(uri, caller)) {
    return runAsking('resources/read', served, asked, async (run) => ({
      contents: [await offers.readResource({ uri, caller, ...run })],
    }));
  }
  const code = revision >= '2026-07-28' ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
  throw new RpcError(code, `Resource not found: ${uri.slice(0, 256)}`, { uri: uri.slice(0, 256) });
};

/** Not declared, yet asked for by clients that do not look: an empty list is the kinder truth. */
export const listPrompts: Method = ({ source }, { params, caller }) => {
  const { items, nextCursor } = pageOf(source.offers?.prompts(caller) ?? [], params['cursor']);
  return { prompts: items, ...(nextCursor ? { nextCursor } : {}) };
};

export const getPrompt: Method = async (served, asked) => {
  const { params, caller } = asked;
  const name = params['name'];
  const args = params['arguments'] ?? {};
  if (typeof name !== 'string')
    throw new RpcError(rpcCodes.invalidParams, '"name" must be the name of a prompt.');
  if (!isRecord(args)) throw new RpcError(rpcCodes.invalidParams, '"arguments" must be an object.');
  const { offers } = served.source;
  if (!offers?.prompts(caller).some((prompt) => prompt.name === name))
    throw new RpcError(rpcCodes.invalidParams, `Unknown prompt: ${name.slice(0, 128)}`);
  return runAsking('prompts/get', served, asked, async (run) =>
    promptPayload(await offers.prompt({ name, args, caller, ...run }), asked.revision),
  );
};

/** Most values a completion may hold (MCP 2025-11-25, "Completion Results"). */
const mostValues = 100;

export const complete: Method = ({ source }, { params, caller }) => {
  const { ref, argument } = params;
  const isSound =
    isRecord(ref) &&
    (ref['type'] === 'ref/prompt' || ref['type'] === 'ref/resource') &&
    isRecord(argument) &&
    typeof argument['name'] === 'string' &&
    typeof argument['value'] === 'string';
  if (!isSound) {
    throw new RpcError(
      rpcCodes.invalidParams,
      '"ref" must name a prompt or a resource, and "argument" a name and a value.',
    );
  }
  const of = ref['type'] === 'ref/prompt' ? { prompt: ref['name'] } : { template: ref['uri'] };
  const known = source.offers?.completions(of, String(argument['name']), caller) ?? null;
  if (known === null)
    throw new RpcError(rpcCodes.invalidParams, 'There is no such prompt, template or argument to complete.');
  const typed = String(argument['value']).toLowerCase();
  const values = known.filter((value) => value.toLowerCase().startsWith(typed));
  return {
    completion: {
      values: values.slice(0, mostValues),
      total: values.length,
      hasMore: values.length > mostValues,
    },
  };
};

/** How loud what workflows tell their caller must be; a log for the operator is never sent. */
const setLogLevel: Method = (_served, { params, peer }) => {
  const { level } = params;
  if (!isLogLevel(level))
    throw new RpcError(rpcCodes.invalidParams, `"level" must be one of ${logLevels.join(', ')}.`);
  peer.facts.logLevel = level;
  return {};
};

/** More than any client watches, and little enough to keep for each session. */
const mostSubscriptions = 1_000;

const subscribe: Method = ({ source }, { params, caller, peer }) => {
  const { uri } = params;
  if (typeof uri !== 'string' || !source.offers?.hasResource(uri, caller))
    throw new RpcError(rpcCodes.resourceNotFound, 'Resource not found.', { uri: String(uri).slice(0, 256) });
  if ((peer.facts.subscriptions?.size ?? 0) >= mostSubscriptions)
    throw new RpcError(rpcCodes.internalError, `No more than ${mostSubscriptions} resources can be watched.`);
  peer.facts.subscriptions?.add(uri);
  return {};
};

const unsubscribe: Method = (_served, { params, peer }) => {
  if (typeof params['uri'] === 'string') peer.facts.subscriptions?.delete(params['uri']);
  return {};
};

export interface InitializeResult {
  readonly protocolVersion: LegacyRevision;
  readonly capabilities: object;
  readonly serverInfo: ServerIdentity;
}

/** Agrees on the revision the client asked for if it is one of ours, else on our newest (MCP, "Version negotiation"). */
export const initialize = (served: ServedTools, params: Params): InitializeResult => {
  const wanted = params['protocolVersion'];
  if (typeof wanted !== 'string')
    throw new RpcError(rpcCodes.invalidParams, '"protocolVersion" must be text.');
  return {
    protocolVersion: isLegacyRevision(wanted) ? wanted : latestLegacy,
    capabilities: { ...capabilitiesOf(served), logging: {} },
    serverInfo: served.identity,
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
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
  ['logging/setLevel', setLogLevel],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', unsubscribe],
]);
