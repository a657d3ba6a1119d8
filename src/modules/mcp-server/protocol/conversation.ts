import { isRecord } from '../../../common/engine/model/is-record.js';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import type { Log } from '../../../common/engine/api/ports.js';
import {
  failure,
  isId,
  RpcError,
  rpcCodes,
  type RequestId,
  type RpcAnswer,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from './json-rpc.js';
import { initialize, type Method, type ServedTools } from './methods.js';
import type { Peer, PeerFacts } from './peer.js';
import type { Revision } from './revisions.js';

/** How many requests of one peer may run at a time. */
const mostInFlight = 256;

export type Send = (message: object) => void;

/** The requests of one peer that are under way, each of which can be cancelled by its id. */
export class Conversation {
  readonly #inFlight = new Map<RequestId, AbortController>();
  /** Requests of ours that the peer has not answered yet, by their id. */
  readonly #asked = new Map<
    RequestId,
    { resolve(result: unknown): void; reject(reason: HelixError): void }
  >();
  #count = 0;
  /** What the handshake told, for as long as the conversation lasts. */
  readonly facts: PeerFacts = { capabilities: {}, logLevel: 'info', subscriptions: new Set() };

  constructor(
    /** What the next request is answered from. */
    public served: ServedTools,
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
   * @param send sends ahead of the answer, on its stream; null where there is no way
   * @param ownFacts what the request says of its peer, where each says it anew
   * @param caller as this request proved it: what a caller may do can change within a conversation
   */
  async answer(
    request: RpcRequest,
    caller: Caller,
    send: Send | null = null,
    ownFacts: PeerFacts | null = null,
  ): Promise<RpcResponse | null> {
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
      const peer: Peer = {
        facts: ownFacts ?? this.facts,
        notify: (message) => send?.(message),
        request: send === null || ownFacts !== null ? null : this.#asking(send),
      };
      const result = await method(served, { params: request.params, caller, revision, signal, peer });
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
      const { capabilities } = params;
      if (isRecord(capabilities)) this.facts.capabilities = capabilities;
      return { jsonrpc: '2.0', id, result };
    } catch (thrown) {
      return failureOf(thrown, id, 'initialize', this.log);
    }
  }

  /** Sends a request on the stream of a call and waits for the peer's answer, which comes as a message of its own. */
  #asking(send: Send): NonNullable<Peer['request']> {
    return (method, params, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(HelixError.from(signal.reason));
        // Clients count their own requests, so ours must be told apart at a glance.
        const id = `helix-${++this.#count}`;
        const leave = (): void => {
          this.#asked.delete(id);
          send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
          reject(HelixError.from(signal.reason));
        };
        const settled = (settle: () => void): void => {
          this.#asked.delete(id);
          signal.removeEventListener('abort', leave);
          settle();
        };
        signal.addEventListener('abort', leave, { once: true });
        this.#asked.set(id, {
          resolve: (result) => settled(() => resolve(result)),
          reject: (reason) => settled(() => reject(reason)),
        });
        send({ jsonrpc: '2.0', id, method, params });
      });
  }

  #hearAnswer({ id, result, error }: RpcAnswer): void {
    const asked = id === null ? undefined : this.#asked.get(id);
    if (error === undefined) return asked?.resolve(result);
    const said =
      isRecord(error) && typeof error['message'] === 'string' ? error['message'].slice(0, 500) : '';
    asked?.reject(new HelixError('ENGINE.NOBODY_TO_ASK', `The client refused to be asked: ${said}`));
  }

  /** Notifications are never answered; the one that matters is `notifications/cancelled`. */
  hear(message: RpcMessage): void {
    if (message.kind === 'answer') return this.#hearAnswer(message);
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
