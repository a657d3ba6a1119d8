import { isRecord } from '../../../common/engine/model/is-record.js';

/** JSON-RPC 2.0 with the narrower rules of MCP: ids are strings or whole numbers, params are objects. */
export type RequestId = string | number;
export type Params = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}
export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Params;
}
/** An answer to a request of ours. */
export interface RpcAnswer {
  readonly kind: 'answer';
  /** Null where it names none of the kind we send. */
  readonly id: RequestId | null;
  readonly result?: unknown;
  readonly error?: unknown;
}
export interface RpcInvalid {
  readonly kind: 'invalid';
  /** The id to answer under, where one can be told. */
  readonly id: RequestId | null;
  readonly reason: string;
}
export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer | RpcInvalid;

export interface RpcResult {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: object;
}
export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}
export interface RpcFailure {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: RpcErrorBody;
}
export type RpcResponse = RpcResult | RpcFailure;

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedRevision: -32022,
} as const;

/** Thrown by a method for a failure of the protocol; a tool's own failure is a result. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export function failure(id: RequestId | null, code: number, message: string, data?: unknown): RpcFailure {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}

export function notification(method: string, params?: object): object {
  return params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
}

/** What a parsed message is. Only own members count, so that no prototype lends a method or an id. */
export function readMessage(value: unknown): RpcMessage {
  if (!isRecord(value)) return { kind: 'invalid', id: null, reason: 'A message must be a JSON object.' };
  const id = own(value, 'id');
  const known = isId(id) ? id : null;
  const invalid = (reason: string): RpcInvalid => ({ kind: 'invalid', id: known, reason });
  if (own(value, 'jsonrpc') !== '2.0') return invalid('A message must have "jsonrpc": "2.0".');
  const method = own(value, 'method');
  if (method === undefined) {
    const isAnswer = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
    if (isAnswer)
      return { kind: 'answer', id: known, result: own(value, 'result'), error: own(value, 'error') };
    return invalid('A message must have a method.');
  }
  if (typeof method !== 'string') return invalid('"method" must be text.');
  const params = own(value, 'params') ?? {};
  if (!isRecord(params)) return invalid('"params" must be an object.');
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification', method, params };
  if (known === null) return invalid('"id" must be text or a whole number up to 2^53 - 1.');
  return { kind: 'request', id: known, method, params };
}

function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

export function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}
