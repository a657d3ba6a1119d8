import { randomBytes } from 'node:crypto';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { AskedQuestion } from '../../../common/engine/model/caller-link.js';
import { RpcError, rpcCodes, type RpcErrorBody } from './json-rpc.js';
import { isAnswer, missingFor, requestOf, type ClientRequest } from './questions.js';
import type { PeerFacts } from './peer.js';
import { nobodyToAsk, type Answers, type Asker, type Questions } from './request-link.js';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface TaskCaps {
  readonly total: number;
  readonly perPrincipal: number;
  /** Milliseconds from its creation for which a task is kept, and may run. */
  readonly lifeMs: number;
  /** Milliseconds a client should leave between two looks. */
  readonly pollMs: number;
}

export const taskCaps: TaskCaps = { total: 10_000, perPrincipal: 1_000, lifeMs: 3_600_000, pollMs: 1_000 };

/** Where tasks live: in this process, until workflows are durable. */
export interface TaskShelf {
  /** @throws RpcError where the caps allow no further task */
  open(principal: string, call: AbortController): Task;
  /** Undefined for an id nobody has, or somebody else. */
  find(id: string, principal: string): Task | undefined;
  /** Calls the listener after each change of a task; the returned function ends that. */
  onChange(listener: (task: Task) => void): () => void;
  close(): void;
}

interface Pending {
  readonly asked: AskedQuestion;
  readonly request: ClientRequest;
  answer(answer: unknown): void;
}

/** A call that runs on its own (MCP extension io.modelcontextprotocol/tasks). */
export class Task implements Asker {
  readonly id = randomBytes(24).toString('base64url');
  readonly #createdAt: number;
  #updatedAt: number;
  #status: TaskStatus = 'working';
  #result: object | null = null;
  #error: RpcErrorBody | null = null;
  #asked = 0;
  readonly #pending = new Map<string, Pending>();

  constructor(
    readonly principal: string,
    private readonly call: AbortController,
    private readonly caps: TaskCaps,
    private readonly now: () => number,
    private readonly changed: (task: Task) => void,
    public facts: PeerFacts | null = null,
  ) {
    this.#createdAt = this.#updatedAt = now();
  }

  get isOver(): boolean {
    return this.#status !== 'working' && this.#status !== 'input_required';
  }

  get endsAt(): number {
    return this.#createdAt + this.caps.lifeMs;
  }

  /** What the answer to the call says of it: no result, no questions. */
  summary(): object {
    return {
      taskId: this.id,
      status: this.#status,
      createdAt: new Date(this.#createdAt).toISOString(),
      lastUpdatedAt: new Date(this.#updatedAt).toISOString(),
      ttlMs: this.caps.lifeMs,
      pollIntervalMs: this.caps.pollMs,
    };
  }

  /** What `tasks/get` says of it. */
  detail(): object {
    const requests = [...this.#pending].map(([key, { request }]) => [key, request] as const);
    return {
      ...this.summary(),
      ...(requests.length > 0 && !this.isOver ? { inputRequests: Object.fromEntries(requests) } : {}),
      ...(this.#result === null ? {} : { result: this.#result }),
      ...(this.#error === null ? {} : { error: this.#error }),
    };
  }

  async ask(questions: Questions): Promise<Answers> {
    const able = [...questions].filter(([name, asked]) => {
      const missing = this.facts === null ? null : missingFor(asked.question, this.facts);
      if (missing !== null && !asked.isOptional) throw nobodyToAsk(name, missing);
      return missing === null;
    });
    const answers = await Promise.all(
      able.map(async ([name, asked]) => [name, await this.#park(name, asked)] as const),
    );
    return new Map(answers);
  }

  #park(name: string, asked: AskedQuestion): Promise<unknown> {
    const key = `${name}-${++this.#asked}`;
    return new Promise((resolve, reject) => {
      const { signal } = this.call;
      const leave = (): void => reject(HelixError.from(signal.reason));
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.#pending.set(key, {
        asked,
        request: requestOf(asked.question),
        answer: (answer) => {
          signal.removeEventListener('abort', leave);
          resolve(answer);
        },
      });
      this.#become('input_required');
    });
  }

  /** Takes the answers that fit a pending question; what fits none changes nothing. */
  update(answers: Readonly<Record<string, unknown>>): void {
    for (const [key, pending] of this.#pending) {
      if (!Object.hasOwn(answers, key) || !isAnswer(pending.asked, answers[key])) continue;
      this.#pending.delete(key);
      pending.answer(answers[key]);
    }
    if (this.#status === 'input_required' && this.#pending.size === 0) this.#become('working');
  }

  cancel(): void {
    if (this.isOver) return;
    this.#become('cancelled');
    this.call.abort(new HelixError('ENGINE.CANCELLED', 'The MCP client cancelled the task.'));
  }

  complete(result: object): void {
    if (this.isOver) return;
    this.#result = result;
    this.#become('completed');
  }

  fail(error: RpcErrorBody): void {
    if (this.isOver) return;
    this.#error = error;
    this.#become('failed');
  }

  #become(status: TaskStatus): void {
    this.#status = status;
    this.#updatedAt = this.now();
    if (this.isOver) this.#pending.clear();
    this.changed(this);
  }
}

export class MemoryTaskShelf implements TaskShelf {
  readonly #tasks = new Map<string, Task>();
  readonly #perPrincipal = new Map<string, number>();
  readonly #listeners = new Set<(task: Task) => void>();

  constructor(
    private readonly caps: TaskCaps = taskCaps,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.#tasks.size;
  }

  open(principal: string, call: AbortController): Task {
    this.#sweep();
    const own = this.#perPrincipal.get(principal) ?? 0;
    if (this.#tasks.size >= this.caps.total || own >= this.caps.perPrincipal)
      throw new RpcError(rpcCodes.internalError, 'Too many tasks are kept: try again later.');
    const tell = (task: Task): void => {
      for (const listener of this.#listeners) listener(task);
    };
    const task = new Task(principal, call, this.caps, this.now, tell);
    this.#tasks.set(task.id, task);
    this.#perPrincipal.set(principal, own + 1);
    return task;
  }

  find(id: string, principal: string): Task | undefined {
    this.#sweep();
    const task = this.#tasks.get(id);
    return task?.principal === principal ? task : undefined;
  }

  onChange(listener: (task: Task) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    for (const task of this.#tasks.values()) task.cancel();
    this.#tasks.clear();
    this.#perPrincipal.clear();
    this.#listeners.clear();
  }

  /** The map is ordered by creation, so what is too old stands first. */
  #sweep(): void {
    const now = this.now();
    for (const task of this.#tasks.values()) {
      if (task.endsAt > now) return;
      task.cancel();
      this.#tasks.delete(task.id);
      const left = (this.#perPrincipal.get(task.principal) ?? 1) - 1;
      if (left > 0) this.#perPrincipal.set(task.principal, left);
      else this.#perPrincipal.delete(task.principal);
    }
  }
}
