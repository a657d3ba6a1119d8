import { isRecord } from '../../../common/engine/model/is-record.js';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { failureOf } from '../protocol/conversation.js';
import { principalOf } from '../../../components/mcp-server/principal.js';
import { failure, RpcError, rpcCodes, type RpcRequest } from '../protocol/json-rpc.js';
import { grantedOf, notificationOf, readWanted, wantsChange, type Wanted } from '../protocol/wanted.js';
import { readEnvelope, subscriptionKey } from '../protocol/modern-envelope.js';
import { headerProblem } from '../protocol/modern-headers.js';
import { modernMethods, modernResult, runModern } from '../protocol/modern-methods.js';
import { paramHeaderProblem } from '../protocol/param-headers.js';
import type { Asked } from '../protocol/methods.js';
import { EventStream } from './event-stream.js';
import { headerOf, progressTokenOf, type HttpParts, type HttpRequest } from './http-request.js';
import { PostReply } from './post-reply.js';
import { sendJson } from './send.js';

const mostSubscriptions = 1024;

interface Subscription {
  readonly wants: Wanted;
  readonly principal: string;
  readonly meta: object;
  readonly events: EventStream;
  readonly id: string | number;
}

/** Streamable HTTP without sessions: MCP 2026-07-28. */
export class ModernHttp {
  readonly #subscriptions = new Set<Subscription>();
  readonly #unsubscribe: () => void;

  constructor(private readonly parts: HttpParts) {
    const { source, tasks } = parts.served;
    const unsubscribe = source.onChange((change) =>
      this.#tell(notificationOf(change), (each) => wantsChange(each.wants, change)),
    );
    const leaveTasks = tasks?.onChange((task) =>
      this.#tell(['notifications/tasks', task.detail()], ({ wants, principal }) => {
        return principal === task.principal && wants.tasks.has(task.id);
      }),
    );
    this.#unsubscribe = () => {
      unsubscribe();
      leaveTasks?.();
    };
  }

  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  async post(http: HttpRequest, message: RpcRequest): Promise<void> {
    const { id, method: name, params } = message;
    const { request, response } = http;
    const header = (wanted: string): string | undefined => headerOf(request, wanted);
    const envelope = readEnvelope(id, params, header('mcp-protocol-version'));
    if ('refusal' in envelope) return sendJson(response, 400, envelope.refusal);
    const problem = headerProblem(message, header);
    if (problem !== null) return sendJson(response, 400, failure(id, rpcCodes.headerMismatch, problem));
    if (name === 'subscriptions/listen') return this.#listen(http, message);
    const method = modernMethods.get(name);
    if (!method) {
      const unknown = failure(id, rpcCodes.methodNotFound, `Unknown method: ${name.slice(0, 128)}`);
      return sendJson(response, 404, unknown);
    }
    const cancellation = new AbortController();
    const reply = new PostReply(response, http.accepted, this.parts.heartbeat, progressTokenOf(params), () =>
      cancellation.abort(new HelixError('ENGINE.CANCELLED', 'The MCP client closed its request.')),
    );
    const { caller } = http.admission;
    const peer = {
      facts: envelope.facts,
      notify: (ahead: object): void => reply.notify(ahead),
      request: null,
    };
    const asked: Asked = { params, caller, revision: envelope.revision, signal: cancellation.signal, peer };
    try {
      const mismatch = await paramHeaderProblem(this.parts.served.source, asked, name, header);
      if (mismatch !== null) return reply.finish(400, failure(id, rpcCodes.headerMismatch, mismatch));
      const result = await runModern(method, this.parts.served, asked);
      reply.finish(200, { jsonrpc: '2.0', id, result });
    } catch (thrown) {
      const isUnable = thrown instanceof RpcError && thrown.code === rpcCodes.missingCapability;
      reply.finish(isUnable ? 400 : 200, failureOf(thrown, id, name, this.parts.log));
    }
  }

  /** Tells every listener that it will hear no more, as an answer to its request. */
  close(): void {
    this.#unsubscribe();
    for (const { events, id, meta } of this.#subscriptions) {
      events.send({ jsonrpc: '2.0', id, result: modernResult(this.parts.served, {}, meta) });
      events.end();
    }
    this.#subscriptions.clear();
  }

  #listen(http: HttpRequest, { id, params }: RpcRequest): void {
    const wanted = params['notifications'];
    if (!isRecord(wanted)) {
      const message = '"notifications" must be an object that names what to listen to.';
      return sendJson(http.response, 200, failure(id, rpcCodes.invalidParams, message));
    }
    if (this.#subscriptions.size >= mostSubscriptions) {
      const message = 'Too many subscriptions are open: try again later.';
      return sendJson(http.response, 503, failure(id, rpcCodes.internalError, message));
    }
    const wants = readWanted(wanted);
    const principal = principalOf(http.admission.caller);
    const meta = { [subscriptionKey]: id };
    const events = new EventStream(http.response, this.parts.heartbeat);
    const subscription: Subscription = { wants, principal, meta, events, id };
    this.#subscriptions.add(subscription);
    http.response.once('close', () => this.#subscriptions.delete(subscription));
    const granted = grantedOf(wants);
    events.send(tagged('notifications/subscriptions/acknowledged', meta, { notifications: granted }));
  }

  #tell([method, params]: readonly [string, object], isFor: (subscription: Subscription) => boolean): void {
    for (const subscription of this.#subscriptions)
      if (isFor(subscription)) subscription.events.send(tagged(method, subscription.meta, params));
  }
}

function tagged(method: string, meta: object, params: object = {}): object {
  return { jsonrpc: '2.0', method, params: { ...params, _meta: meta } };
}
