import type { RpcRequest } from './json-rpc.js';

/** Which member of the params `Mcp-Name` repeats (SEP-2243). */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/**
 * Why the headers of a request do not say what its body says, or null where they do. Gateways route by the headers, so a
 * difference would let a request pass as another one.
 */
export function headerProblem(
  request: RpcRequest,
  header: (name: string) => string | undefined,
): string | null {
  if (header('mcp-method') !== request.method) return 'The header Mcp-Method must equal the method.';
  const member = named.get(request.method);
  const value = member === undefined ? undefined : request.params[member];
  if (typeof value !== 'string') return null;
  return decodeHeader(header('mcp-name')) === value
    ? null
    : `The header Mcp-Name must equal "params.${member}".`;
}

/** Plain visible ASCII, or `=?base64?…?=` for anything else; undefined for what is neither. */
export function decodeHeader(raw: string | undefined): string | undefined {
  if (raw === undefined || !/^[\t\x20-\x7e]*$/.test(raw)) return undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(raw)?.[1];
  if (encoded === undefined) return raw;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) return undefined;
  return Buffer.from(encoded, 'base64').toString('utf8');
}
