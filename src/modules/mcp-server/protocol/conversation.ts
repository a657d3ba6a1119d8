import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import type { Log } from '../../../common/engine/api/ports.js';
import {
  failure,
  isId,
  RpcError,
  rpcCodes,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from './json-rpc.js';
import { initialize, type Method, type ServedTools } from './methods.js';
import type { Revision } from './revisions.js';

/** How many requests of one peer may run at a time. */
const mostInFlight = 256;

/** The requests of one peer that are under way, each of which can be cancelled by its id. */
export class Conversation {
  readonly #inFlight = new Map<RequestId, AbortController>();

  constructor(
    private readonly served: ServedTools,
    private readonly methods: ReadonlyMap<string, Method>,
    /** What the peer speaks; `initialize` settles it. */
    public revision: Revision,
    private readonly log: Log,
  ) {}

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /**
   * The answer, or null where the request was cancelled and so is owed none. Never rejects.
   * @param caller as this request proved it: what a caller may do can change within a conversation
   */
  async answer(request: RpcRequest, caller: Caller): Promise<RpcResponse | null> {
    const { id } = request;
    if (request.method === 'initialize') return this.#initialize(request);
    const method = this.methods.get(request.method);
    if (!method)
      return failure(id, rpcCodes.methodNotFound, `Unknown method: ${request.method.slice(0, 128)}`);
    // An answer under an id that is still open would be taken for the answer to the first request.
    if (this.#inFlight.has(id)) {
      return failure(null, rpcCodes.invalidRequest, 'A request with this id is still being answered.');
    }
    if (this.#inFlight.size >= mostInFlight) {
      return failure(id, rpcCodes.internalError, `No more than ${mostInFlight} requests may run at a time.`);
    }
    const cancellation = new AbortController();
    this.#inFlight.set(id, cancellation);
    const { signal } = cancellation;
    try {
      const { served, revision } = this;
      const result = await method(served, { params: request.params, caller, revision, signal });
      return signal.aborted ? null : { jsonrpc: '2.0', id, result };
    } catch (thrown) {
      return signal.aborted ? null : failureOf(thrown, id, request.method, this.log);
    } finally {
      this.#inFlight.delete(id);
    }
  }

  #initialize({ id, params }: RpcRequest): RpcResponse {
    try {
      const result = initialize(this.served, params);
      this.revision = result.protocolVersion;
      return { jsonrpc: '2.0', id, result };
    } catch (thrown) {
      return failureOf(thrown, id, 'initialize', this.log);
    }
  }

  /** Notifications are never answered; the one that matters is `notifications/cancelled`. */
  hear(message: RpcMessage): void {
    if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return;
    const { requestId } = message.params;
    if (isId(requestId)) this.cancel(requestId);
  }

  cancel(id: RequestId): void {
    this.#inFlight
      .get(id)
      ?.abort(new HelixError('ENGINE.CANCELLED', 'The MCP client cancelled the request.'));
  }

  /** The peer is gone for good. */
  close(): void {
    for (const id of this.#inFlight.keys()) this.cancel(id);
  }
}

/** A thrown thing as an answer. What is no protocol error is our fault: the log has the reason, the peer a sentence. */
export function failureOf(thrown: unknown, id: RequestId, method: string, log: Log): RpcResponse {
  if (thrown instanceof RpcError) return failure(id, thrown.code, thrown.message, thrown.data);
  const error = HelixError.from(thrown);
  if (error.meaning.exposure === 'operator') log.write('error', 'An MCP request failed.', { method, error });
  return failure(id, error.meaning.jsonRpc, log.redact?.(error.publicMessage) ?? error.publicMessage);
}
