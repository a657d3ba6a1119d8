import {
  callTool,
  capabilitiesOf,
  complete,
  getPrompt,
  listResources,
  listResourceTemplates,
  listPrompts,
  listTools,
  readResource,
  type Asked,
  type Method,
  type ServedTools,
} from './methods.js';
import { tasksExtension } from './peer.js';
import { taskMethods } from './task-methods.js';
import { legacyRevisions, modernRevisions } from './revisions.js';

/** Milliseconds a client may keep a list. Short: a reload of the workspace should not stay unseen for long. */
const listTtlMs = 10_000;

/** `private`, since another key may be offered other tools. */
const forCaching = (ttlMs: number, method: Method): Method => {
  return async (served, asked) => {
    const result = await method(served, asked);
    // What asks the client first is no result to keep.
    return 'inputRequests' in result ? result : { ...result, ttlMs, cacheScope: 'private' };
  };
};

const discover: Method = (served) => ({
  supportedVersions: [...modernRevisions, ...legacyRevisions.toReversed()],
  // Declared with nothing in it: in this era a method that answers must be declared, and lists must be cacheable.
  capabilities: {
    prompts: {},
    ...capabilitiesOf(served),
    ...(served.tasks === null ? {} : { extensions: { [tasksExtension]: {} } }),
  },
});

export const modernMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['server/discover', forCaching(listTtlMs, discover)],
  ['tools/list', forCaching(listTtlMs, listTools)],
  ['tools/call', callTool],
  ['resources/list', forCaching(listTtlMs, listResources)],
  ['resources/templates/list', forCaching(listTtlMs, listResourceTemplates)],
  ['prompts/list', forCaching(listTtlMs, listPrompts)],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
  ...taskMethods,
  ['resources/read', forCaching(0, readResource)],
]);

/** What every result of the era carries: that it is whole, and whose it is. */
export function modernResult(served: ServedTools, result: object, meta: object = {}): object {
  const own = (result as { _meta?: object })._meta;
  return {
    resultType: 'complete',
    ...result,
    _meta: { ...own, 'io.modelcontextprotocol/serverInfo': served.identity, ...meta },
  };
}

/** @throws RpcError */
export async function runModern(method: Method, served: ServedTools, asked: Asked): Promise<object> {
  return modernResult(served, await method(served, asked));
}
