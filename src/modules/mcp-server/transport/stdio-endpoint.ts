import { isRecord } from '../../../common/engine/model/is-record.js';
import type { Readable, Writable } from 'node:stream';
import type { Log } from '../../../common/engine/api/ports.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import { Conversation } from '../protocol/conversation.js';
import {
  failure,
  notification,
  readMessage,
  rpcCodes,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from '../protocol/json-rpc.js';
import { legacyMethods, type ServedTools } from '../protocol/methods.js';
import { claimsEnvelope, readEnvelope, subscriptionKey } from '../protocol/modern-envelope.js';
import { modernMethods, modernResult } from '../protocol/modern-methods.js';
import { JsonRefusal, readJson } from '../protocol/read-json.js';
import { allowsBatches, assumedLegacy, modernRevisions } from '../protocol/revisions.js';
import type { SourceChange } from '../../../components/mcp-server/tool-source.js';
import { grantedOf, notificationOf, readWanted, wantsChange, type Wanted } from '../protocol/wanted.js';
import { LineSplitter } from './line-splitter.js';

export interface StdioEndpointParts extends ServedTools {
  readonly input: Readable;
  readonly output: Writable;
  readonly log: Log;
  readonly maxLineBytes: number;
  /** Milliseconds that calls under way have left once the input ended. */
  readonly graceMs: number;
  /** Called once when the peer is gone and all is answered. */
  readonly onEnd: () => void;
}

/** Whoever started the process is the caller. */
const parent: Caller = Object.freeze({
  kind: 'anonymous',
  id: 'stdio',
  organizationId: null,
  projectId: null,
  address: null,
});

const largestBatch = 100;

/** MCP over standard input and output: a message a line, in both eras. The end of the input ends the server. */
export class StdioEndpoint {
  readonly #legacy: Conversation;
  readonly #modern: Conversation;
  readonly #subscriptions = new Map<string | number, Wanted>();
  readonly #open = new Set<Promise<void>>();
  readonly #unsubscribe: () => void;
  #knowsLegacyPeer = false;
  #isClosed = false;

  constructor(private readonly parts: StdioEndpointParts) {
    const { log, source, input, output } = parts;
    const modern = new Map([...modernMethods].map(([name, method]) => [name, whole(method, parts)] as const));
    this.#legacy = new Conversation(parts, legacyMethods, assumedLegacy, log);
    this.#modern = new Conversation(parts, modern, modernRevisions[0], log);
    const unsubscribe = source.onChange((change) => this.#tell(change));
    const leaveTasks = parts.tasks?.onChange((task) => {
      for (const [id, { tasks }] of this.#subscriptions)
        if (tasks.has(task.id)) this.#write(tagged(id, 'notifications/tasks', task.detail()));
    });
    this.#unsubscribe = () => {
      unsubscribe();
      leaveTasks?.();
    };
    const lines = new LineSplitter(parts.maxLineBytes, (line) => this.#hear(line));
    input.on('data', (chunk: Buffer) => lines.push(chunk));
    const end = (): void => void this.#finish();
    input.once('end', end).once('close', end).on('error', end);
    // A peer that closed its end: what is written from then on reaches nobody.
    output.on('error', end);
  }

  /** Stops reading; calls under way are aborted. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unsubscribe();
    this.parts.input.removeAllListeners('data').pause();
    for (const [id] of this.#subscriptions) this.#endSubscription(id);
    this.#legacy.close();
    this.#modern.close();
    this.parts.tasks?.close();
    await Promise.all(this.#open);
  }

  /** What was asked before the input ended is still answered, so that a server can stand in a pipe. */
  async #finish(): Promise<void> {
    if (this.#isClosed) return;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.parts.graceMs)));
    await Promise.race([Promise.all(this.#open), grace]);
    clearTimeout(timer);
    if (this.#isClosed) return;
    await this.close();
    this.parts.onEnd();
  }

  #hear(line: Buffer | null): void {
    if (line === null) {
      const most = this.parts.maxLineBytes;
      return this.#write(failure(null, rpcCodes.invalidRequest, `A message may be ${most} bytes long.`));
    }
    try {
      const value = readJson(line);
      const work = Array.isArray(value) ? this.#answerBatch(value) : this.#answer(readMessage(value));
      this.#track(work);
    } catch (thrown) {
      if (!(thrown instanceof JsonRefusal)) throw thrown;
      this.#write(failure(null, rpcCodes.parseError, thrown.message));
    }
  }

  #track(work: Promise<object | null>): void {
    const open = this.#writeAnswer(work).finally(() => this.#open.delete(open));
    this.#open.add(open);
  }

  async #writeAnswer(work: Promise<object | null>): Promise<void> {
    const answer = await work;
    if (answer) this.#write(answer);
  }

  async #answer(message: RpcMessage): Promise<RpcResponse | null> {
    if (message.kind === 'invalid') return failure(message.id, rpcCodes.invalidRequest, message.reason);
    if (message.kind === 'request') {
      if (claimsEnvelope(message.params)) return this.#answerModern(message);
      this.#knowsLegacyPeer ||= message.method === 'initialize';
      return this.#legacy.answer(message, parent, (ahead) => this.#write(ahead));
    }
    if (message.kind === 'answer') this.#legacy.hear(message);
    if (message.kind !== 'notification') return null;
    this.#legacy.hear(message);
    this.#modern.hear(message);
    const { requestId } = message.params;
    if (message.method === 'notifications/cancelled')
      this.#subscriptions.delete(requestId as string | number);
    return null;
  }

  async #answerModern(request: RpcRequest): Promise<RpcResponse | null> {
    const envelope = readEnvelope(request.id, request.params, null);
    if ('refusal' in envelope) return envelope.refusal;
    if (request.method !== 'subscriptions/listen')
      return this.#modern.answer(request, parent, (ahead) => this.#write(ahead), envelope.facts);
    const notifications = request.params['notifications'];
    if (!isRecord(notifications)) {
      return failure(request.id, rpcCodes.invalidParams, '"notifications" must name what to listen to.');
    }
    const wanted = readWanted(notifications);
    this.#subscriptions.set(request.id, wanted);
    const params = { notifications: grantedOf(wanted) };
    this.#write(tagged(request.id, 'notifications/subscriptions/acknowledged', params));
    return null;
  }

  async #answerBatch(batch: readonly unknown[]): Promise<RpcResponse[] | RpcResponse | null> {
    const isAllowed =
      allowsBatches(this.#legacy.revision) && batch.length > 0 && batch.length <= largestBatch;
    if (!isAllowed) return failure(null, rpcCodes.invalidRequest, 'Send one message a line.');
    const answers = await Promise.all(batch.map((each) => this.#answer(readMessage(each))));
    const owed = answers.filter((answer) => answer !== null);
    return owed.length > 0 ? owed : null;
  }

  #tell(change: SourceChange): void {
    const [method, params] = notificationOf(change);
    const isWatched = change.kind !== 'updated' || this.#legacy.facts.subscriptions?.has(change.uri);
    if (this.#knowsLegacyPeer && isWatched) this.#write(notification(method, params));
    for (const [id, wanted] of this.#subscriptions)
      if (wantsChange(wanted, change)) this.#write(tagged(id, method, params));
  }

  #endSubscription(id: string | number): void {
    this.#subscriptions.delete(id);
    this.#write({ jsonrpc: '2.0', id, result: modernResult(this.parts, {}, { [subscriptionKey]: id }) });
  }

  #write(message: object): void {
    const { output } = this.parts;
    if (output.writable) output.write(`${JSON.stringify(message)}\n`);
  }
}

function tagged(id: string | number, method: string, params: object): object {
  return notification(method, { ...params, _meta: { [subscriptionKey]: id } });
}

function whole(
  method: typeof modernMethods extends ReadonlyMap<string, infer M> ? M : never,
  served: ServedTools,
) {
  const run: typeof method = async (_served, asked) => modernResult(served, await method(served, asked));
  return run;
}
