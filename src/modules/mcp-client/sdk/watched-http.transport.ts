import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type RequestId,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';

/** `data` of the error that stands in for an answer which can no longer come. */
export const streamLost = 'helix.stream-lost';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/**
 * Streamable HTTP where a call whose stream ends without its answer fails at once. The SDK's own keeps such a call
 * waiting until its time is over and then calls it a time-out.
 */
export class WatchedHttpTransport extends StreamableHTTPClientTransport {
  readonly #waiting = new Set<RequestId>();

  constructor(url: URL, options: StreamableHTTPClientTransportOptions) {
    super(url, options);
    // The client puts its own handler around this one when it connects.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport is no EventTarget
    this.onmessage = (message) => {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
        if (message.id !== undefined) this.#waiting.delete(message.id);
      }
    };
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) return super.send(message, options);
    const { id } = message;
    this.#waiting.add(id);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      this.#lose(id);
    };
    try {
      await super.send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      this.#waiting.delete(id);
      throw error;
    }
  }

  #lose(id: RequestId): void {
    if (!this.#waiting.delete(id)) return;
    const error = { code: -32000, message: 'The stream ended without the answer.', data: streamLost };
    this.onmessage?.({ jsonrpc: '2.0', id, error });
  }
}
