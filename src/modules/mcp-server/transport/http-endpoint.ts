import type { IncomingMessage, ServerResponse } from 'node:http';
import { failure, readMessage, rpcCodes } from '../protocol/json-rpc.js';
import { Continuity } from '../protocol/continuity.js';
import { LegacySessions, type SessionCaps } from '../protocol/legacy-sessions.js';
import type { ServedTools } from '../protocol/methods.js';
import { claimsEnvelope } from '../protocol/modern-envelope.js';
import { isModernRevision } from '../protocol/revisions.js';
import { Doorway, type DoorwayParts } from './doorway.js';
import { Heartbeat } from './heartbeat.js';
import { headerOf, type HttpRequest } from './http-request.js';
import { LegacyHttp } from './legacy-http.js';
import { ModernHttp } from './modern-http.js';
import { readMessageBody } from './read-message.js';
import { refuse, sendJson } from './send.js';

export interface HttpEndpointParts extends ServedTools, DoorwayParts {
  readonly maxBodyBytes: number;
  /** About how often an open connection shows life, in milliseconds. */
  readonly keepAliveMs?: number;
  readonly sessionCaps?: SessionCaps;
  readonly pollAfterMs?: number | null;
}

/** An MCP transport over requests of node:http. */
export interface McpEndpoint {
  /** Answers a request. Nothing may have read its body before. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Takes no more requests and ends the streams nobody waits on; calls under way go on.
   * @returns streams that stay open, since another endpoint speaks on them from now on
   */
  drain(): readonly ServerResponse[];
  /** Ends the sessions with what they still run, unless another endpoint goes on with them. */
  close(): void;
}

/** Streamable HTTP on one URL, in both eras of the protocol. */
export class HttpEndpoint implements McpEndpoint {
  readonly heartbeat: Heartbeat;
  readonly legacy: LegacyHttp;
  readonly modern: ModernHttp;
  readonly #doorway: Doorway;
  readonly #continuity: Continuity;

  /** @param former whose sessions and tasks go on here */
  constructor(
    private readonly parts: HttpEndpointParts,
    former: HttpEndpoint | null = null,
  ) {
    const { identity, source, states, log, keepAliveMs, sessionCaps, pollAfterMs = null } = parts;
    this.heartbeat = new Heartbeat(keepAliveMs);
    const known =
      (former === null ? null : former.#continuity) ??
      new Continuity(new LegacySessions(log, sessionCaps), parts.tasks);
    this.#continuity = known.join(this);
    const { sessions, tasks } = this.#continuity;
    const served = { identity, source, states, tasks };
    const shared = { served, log, heartbeat: this.heartbeat, pollAfterMs };
    this.legacy = new LegacyHttp(shared, sessions);
    this.modern = new ModernHttp(shared);
    this.#doorway = new Doorway(parts, (http) => this.#serve(http));
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#doorway.handle(request, response);
  }

  drain(): readonly ServerResponse[] {
    this.#doorway.close();
    this.modern.close();
    const { sessions } = this.legacy;
    if (this.#continuity.retire(this)) {
      this.legacy.handOver();
      return sessions.streams();
    }
    sessions.endStreams();
    return [];
  }

  close(): void {
    this.#doorway.close();
    this.modern.close();
    this.legacy.close();
    this.#continuity.release(this);
  }

  #serve(http: HttpRequest): void | Promise<void> {
    const { request, response } = http;
    const isModern = isModernRevision(headerOf(request, 'mcp-protocol-version'));
    if (request.method === 'POST') return this.#post(http, isModern);
    if (request.method === 'GET' && !isModern) return this.legacy.listen(http);
    if (request.method === 'DELETE' && !isModern) return this.legacy.end(http);
    const allow = isModern ? 'POST, OPTIONS' : 'GET, POST, DELETE, OPTIONS';
    refuse(response, 405, rpcCodes.invalidRequest, 'This method is not allowed here.', {
      allow,
      connection: 'close',
    });
  }

  /** Modern is what says so, in its envelope or its header; everything else is legacy. */
  async #post(http: HttpRequest, hasModernHeader: boolean): Promise<void> {
    const { response, accepted } = http;
    if (!accepted.json && !accepted.stream) {
      const message = 'Accept application/json and text/event-stream.';
      return refuse(response, 406, rpcCodes.invalidRequest, message, { connection: 'close' });
    }
    const body = await readMessageBody(http, this.parts.maxBodyBytes);
    if (!body) return;
    if (Array.isArray(body.value) && !hasModernHeader) return this.legacy.batch(http, body.value);
    const message = readMessage(body.value);
    const speaks = message.kind === 'request' || message.kind === 'notification';
    if (!hasModernHeader && !(speaks && claimsEnvelope(message.params)))
      return this.legacy.post(http, message);
    if (message.kind === 'request') return this.modern.post(http, message);
    if (message.kind === 'notification') return void response.writeHead(202).end();
    const [id, reason] =
      message.kind === 'invalid'
        ? [message.id, message.reason]
        : [null, 'There is no request of ours to answer.'];
    sendJson(response, 400, failure(id, rpcCodes.invalidRequest, reason));
  }
}
