import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../common/engine/model/caller.js';
import {
  failure,
  notification,
  readMessage,
  rpcCodes,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from '../protocol/json-rpc.js';
import type { LegacySession, LegacySessions } from '../protocol/legacy-sessions.js';
import { allowsBatches, isLegacyRevision, legacyRevisions } from '../protocol/revisions.js';
import { EventStream } from './event-stream.js';
import { headerOf, progressTokenOf, type HttpParts, type HttpRequest } from './http-request.js';
import { PostReply, type Polled } from './post-reply.js';
import { refuse, refuseUnread, sendJson } from './send.js';

const largestBatch = 100;

/** Streamable HTTP with sessions: MCP 2025-11-25 and before. */
export class LegacyHttp {
  readonly #unsubscribe: () => void;

  constructor(
    private readonly parts: HttpParts,
    readonly sessions: LegacySessions,
  ) {
    this.#unsubscribe = parts.served.source.onChange((change) => {
      if (change.kind === 'updated') {
        const updated = notification('notifications/resources/updated', { uri: change.uri });
        return this.sessions.tellOfUpdate(change.uri, updated);
      }
      this.sessions.broadcast(listChanged(change.kind));
    });
  }

  /** Hears no more of what its source has to tell. */
  close(): void {
    this.#unsubscribe();
  }

  /** Tells the clients that another version of the server answers them from now on. */
  handOver(): void {
    this.close();
    for (const kind of ['tools', 'prompts', 'resources']) this.sessions.broadcast(listChanged(kind));
  }

  async post(http: HttpRequest, message: RpcMessage): Promise<void> {
    if (message.kind === 'invalid') {
      sendJson(http.response, 400, failure(message.id, rpcCodes.invalidRequest, message.reason));
      return;
    }
    if (message.kind === 'request' && message.method === 'initialize') return this.#initialize(http, message);
    const session = this.#session(http);
    if (!session) return;
    if (message.kind !== 'request') {
      session.conversation.hear(message);
      http.response.writeHead(202).end();
      return;
    }
    const polled = this.#polled(session, () => reply);
    const reply: PostReply = new PostReply(
      http.response,
      http.accepted,
      this.parts.heartbeat,
      progressTokenOf(message.params),
      () => {
        if (polled) session.parked.delete(polled.id);
        session.conversation.cancel(message.id);
      },
      polled,
    );
    const send = http.accepted.stream ? (ahead: object): void => reply.notify(ahead) : null;
    const answer = await session.conversation.answer(message, http.admission.caller, send);
    reply.finish(200, answer ?? undefined);
  }

  /** Clients know how to come back for an answer since 2025-11-25. */
  #polled({ parked, conversation }: LegacySession, reply: () => PostReply): Polled | null {
    const { pollAfterMs } = this.parts;
    if (pollAfterMs === null || conversation.revision < '2025-11-25') return null;
    const id = randomBytes(18).toString('base64url');
    return { afterMs: pollAfterMs, id, onParked: () => parked.set(id, reply()) };
  }

  /** The stream on which the server speaks unasked. */
  listen(http: HttpRequest): void {
    const session = this.#session(http);
    if (!session) return;
    if (!http.accepted.stream) {
      refuse(
        http.response,
        406,
        rpcCodes.invalidRequest,
        'GET opens an event stream: accept text/event-stream.',
      );
      return;
    }
    const lastSeen = headerOf(http.request, 'last-event-id');
    const parked = lastSeen === undefined ? undefined : session.parked.get(lastSeen);
    if (parked && lastSeen !== undefined) {
      session.parked.delete(lastSeen);
      parked.resume(http.response);
      return;
    }
    if (session.stream) {
      refuse(http.response, 409, rpcCodes.invalidRequest, 'This session has an open stream already.');
      return;
    }
    const events = new EventStream(http.response, this.parts.heartbeat, { 'mcp-session-id': session.id });
    const stream = {
      response: http.response,
      send: (message: object): void => events.send(message, String(this.sessions.generation)),
      end: (): void => events.end(),
    };
    session.stream = stream;
    http.response.once('close', () => {
      if (session.stream === stream) session.stream = null;
      session.lastSeen = Date.now();
    });
    if (lastSeen !== undefined && lastSeen !== String(this.sessions.generation)) {
      stream.send(listChanged('tools'));
    } else if (session.conversation.revision >= '2025-11-25') {
      events.sendText('', { id: String(this.sessions.generation) });
    }
  }

  end(http: HttpRequest): void {
    const session = this.#session(http);
    if (!session) return;
    this.sessions.end(session);
    http.response.writeHead(204).end();
  }

  async #initialize(http: HttpRequest, request: RpcRequest): Promise<void> {
    const session = this.sessions.open(http.admission.caller, this.parts.served);
    if (!session) {
      const message = 'Too many sessions are open: end some, or try again later.';
      return refuse(http.response, 503, rpcCodes.internalError, message);
    }
    const answer = await session.conversation.answer(request, http.admission.caller);
    const isOpen = answer !== null && 'result' in answer;
    if (!isOpen) this.sessions.end(session);
    if (isOpen) http.response.setHeader('mcp-session-id', session.id);
    const reply = new PostReply(http.response, http.accepted, this.parts.heartbeat, null, () => undefined);
    reply.finish(200, answer ?? undefined);
  }

  /** The session a request names, or undefined once the request was refused. */
  #session({ request, response, admission }: HttpRequest): LegacySession | undefined {
    const id = headerOf(request, 'mcp-session-id');
    if (id === undefined) {
      refuse(
        response,
        400,
        rpcCodes.invalidRequest,
        'Send "initialize" first, then Mcp-Session-Id with each request.',
      );
      return undefined;
    }
    const session = this.sessions.find(id, admission.caller);
    if (!session) {
      refuse(response, 404, -32001, 'Session not found: send "initialize" to begin a new one.');
      return undefined;
    }
    session.conversation.served = this.parts.served;
    const version = headerOf(request, 'mcp-protocol-version');
    if (version === undefined || isLegacyRevision(version)) return session;
    const known = legacyRevisions.join(', ');
    refuse(
      response,
      400,
      rpcCodes.invalidRequest,
      `Unsupported MCP-Protocol-Version: this server knows ${known}.`,
    );
    return undefined;
  }

  async batch(http: HttpRequest, body: readonly unknown[]): Promise<void> {
    const session = this.#session(http);
    if (!session) return;
    const { conversation } = session;
    const problem = allowsBatches(conversation.revision)
      ? batchProblem(body)
      : `MCP ${conversation.revision} has no batches: send one message at a time.`;
    if (problem !== null) {
      refuse(http.response, 400, rpcCodes.invalidRequest, problem);
      return;
    }
    const overdrawn = http.admission.charge(body.length - 1);
    if (overdrawn) {
      refuseUnread(http.response, overdrawn);
      return;
    }
    const messages = body.map(readMessage);
    for (const message of messages) conversation.hear(message);
    const requests = messages.filter((message) => message.kind === 'request');
    if (!messages.some(({ kind }) => kind === 'request' || kind === 'invalid')) {
      http.response.writeHead(202).end();
      return;
    }
    const reply = new PostReply(http.response, http.accepted, this.parts.heartbeat, null, () => {
      for (const { id } of requests) conversation.cancel(id);
    });
    const answers = await Promise.all(
      messages.map((message) => this.#answerInBatch(session, message, http.admission.caller)),
    );
    const owed = answers.filter((answer) => answer !== null);
    reply.finish(200, owed.length > 0 ? owed : undefined);
  }

  async #answerInBatch(
    { conversation }: LegacySession,
    message: RpcMessage,
    caller: Caller,
  ): Promise<RpcResponse | null> {
    if (message.kind === 'invalid') return failure(message.id, rpcCodes.invalidRequest, message.reason);
    if (message.kind !== 'request') return null;
    if (message.method !== 'initialize') return conversation.answer(message, caller);
    return failure(message.id, rpcCodes.invalidRequest, '"initialize" may not be part of a batch.');
  }
}

function listChanged(kind: string): object {
  return notification(`notifications/${kind}/list_changed`);
}

function batchProblem(body: readonly unknown[]): string | null {
  if (body.length === 0) return 'A batch must hold at least one message.';
  return body.length > largestBatch ? `A batch may hold ${largestBatch} messages.` : null;
}
