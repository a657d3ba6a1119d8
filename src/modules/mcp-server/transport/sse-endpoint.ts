import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../../common/engine/model/caller.js';
import { principalOf } from '../../../components/mcp-server/principal.js';
import { Conversation } from '../protocol/conversation.js';
import { failure, notification, readMessage, rpcCodes, type RpcMessage } from '../protocol/json-rpc.js';
import { legacyMethods, type ServedTools } from '../protocol/methods.js';
import { assumedLegacy } from '../protocol/revisions.js';
import { notificationOf } from '../protocol/wanted.js';
import { Doorway, type DoorwayParts } from './doorway.js';
import { EventStream } from './event-stream.js';
import { Heartbeat } from './heartbeat.js';
import type { McpEndpoint } from './http-endpoint.js';
import type { HttpRequest } from './http-request.js';
import { readMessageBody } from './read-message.js';
import { refuse } from './send.js';

export interface SseEndpointParts extends ServedTools, DoorwayParts {
  readonly maxBodyBytes: number;
  readonly keepAliveMs?: number;
}

interface Connection {
  readonly principal: string;
  readonly events: EventStream;
  readonly conversation: Conversation;
}

const mostConnections = 10_000;

/**
 * The transport of MCP 2024-11-05, for clients that know no other: GET opens a stream that begins with the address to
 * POST to, and every answer comes on the stream.
 */
export class SseEndpoint implements McpEndpoint {
  readonly heartbeat: Heartbeat;
  readonly #connections = new Map<string, Connection>();
  readonly #doorway: Doorway;
  readonly #unsubscribe: () => void;

  constructor(private readonly parts: SseEndpointParts) {
    this.heartbeat = new Heartbeat(parts.keepAliveMs);
    this.#doorway = new Doorway(parts, (http) => this.#serve(http));
    this.#unsubscribe = parts.source.onChange((change) => {
      const told = notification(...notificationOf(change));
      for (const { events, conversation } of this.#connections.values()) {
        const isFor = change.kind !== 'updated' || conversation.facts.subscriptions?.has(change.uri);
        if (isFor) events.send(told);
      }
    });
  }

  get connections(): number {
    return this.#connections.size;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#doorway.handle(request, response);
  }

  /** Every stream carries answers here, so only those without calls under way end now. */
  drain(): readonly ServerResponse[] {
    this.#doorway.close();
    for (const { conversation, events } of this.#connections.values())
      if (conversation.inFlight === 0) events.end();
    return [];
  }

  close(): void {
    this.drain();
    this.#unsubscribe();
    for (const { conversation, events } of this.#connections.values()) {
      conversation.close();
      events.end();
    }
  }

  #serve(http: HttpRequest): void | Promise<void> {
    if (http.request.method === 'GET') return this.#connect(http);
    if (http.request.method === 'POST') return this.#post(http);
    const headers = { allow: 'GET, POST, OPTIONS', connection: 'close' };
    refuse(http.response, 405, rpcCodes.invalidRequest, 'This method is not allowed here.', headers);
  }

  #connect({ response, admission, accepted }: HttpRequest): void {
    if (!accepted.stream) {
      return refuse(
        response,
        406,
        rpcCodes.invalidRequest,
        'GET opens an event stream: accept text/event-stream.',
      );
    }
    if (this.#connections.size >= mostConnections) {
      return refuse(response, 503, rpcCodes.internalError, 'Too many connections are open: try again later.');
    }
    const id = randomBytes(24).toString('base64url');
    const events = new EventStream(response, this.heartbeat);
    const conversation = new Conversation(this.parts, legacyMethods, assumedLegacy, this.parts.log);
    this.#connections.set(id, { principal: principalOf(admission.caller), events, conversation });
    response.once('close', () => {
      this.#connections.delete(id);
      conversation.close();
    });
    // Relative to the stream's own address, so that it holds behind a proxy that adds a prefix.
    events.sendText(`?sessionId=${id}`, { event: 'endpoint' });
  }

  async #post(http: HttpRequest): Promise<void> {
    const { request, response, admission } = http;
    const id = new URLSearchParams((request.url ?? '').split('?')[1] ?? '').get('sessionId') ?? '';
    const connection = this.#connections.get(id);
    if (!connection || connection.principal !== principalOf(admission.caller)) {
      const headers = { connection: 'close' };
      return refuse(response, 404, -32001, 'Session not found: open the stream with GET first.', headers);
    }
    const body = await readMessageBody(http, this.parts.maxBodyBytes);
    if (!body) return;
    const message = readMessage(body.value);
    response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
    await this.#answer(connection, message, admission.caller);
  }

  async #answer({ conversation, events }: Connection, message: RpcMessage, caller: Caller): Promise<void> {
    if (message.kind === 'invalid') events.send(failure(message.id, rpcCodes.invalidRequest, message.reason));
    else if (message.kind !== 'request') conversation.hear(message);
    else {
      const answer = await conversation.answer(message, caller, (ahead) => events.send(ahead));
      if (answer) events.send(answer);
    }
  }
}
