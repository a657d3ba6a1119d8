import { abortReason, untilAborted } from '../api/abort.js';
import { Deadline } from '../api/deadline.js';
import type { Expression } from '../api/expression.js';
import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { HelixError } from '../errors/helix-error.js';
import { journey, type Exchange } from '../model/exchange.js';
import { Message } from '../model/message.js';
import { parallel } from './parallel-field.js';

/** What `split`, `multicast` and `recipient-list` have in common. */
export const scatterShape = {
  aggregate: fields.expression(
    'What becomes the body in the end; its payload is the list of the results in order. Without it the message stays.',
    { optional: true },
  ),
  parallel: parallel('How many run at once, or true for ten; without it one after the other.'),
  'stop-on-error': fields.flag(
    'The first failure stops the others; without it all are done before the step fails.',
  ),
  timeout: fields.duration('How long all of it may take; what is not done then is given up.', null),
};

/** One piece of the work: the message that goes in, and what is done with it. */
export interface Branch {
  readonly message: Message;
  readonly process: Processor;
  /** A variable that the branch finds beside its message. */
  readonly variable?: readonly [name: string, value: unknown];
}

export type Branches = Iterator<Branch, void> | AsyncIterator<Branch, void>;

interface ScatterInit {
  readonly build: RouteBuilder;
  readonly values: fields.ShapeValues<typeof scatterShape>;
}

/**
 * Runs branches, each on an exchange of its own that shares no mutable state with any other, and puts together what they
 * gave. Synchronous branches cost no promise, and no stack grows with their number. A failure in a branch was judged
 * there; the exchange fails with it, at its place, and nothing is done twice.
 */
export class Scatter {
  readonly #build: RouteBuilder;
  readonly #aggregate: Expression | null;
  readonly #parallel: number;
  readonly #stopOnError: boolean;
  readonly #timeoutMs: number | null;

  constructor({ build, values }: ScatterInit) {
    this.#build = build;
    this.#aggregate = values.aggregate;
    this.#parallel = values.parallel;
    this.#stopOnError = values['stop-on-error'];
    this.#timeoutMs = values.timeout;
  }

  run(exchange: Exchange, branches: Branches): void | Promise<void> {
    const needsReins = this.#timeoutMs !== null || (this.#stopOnError && this.#parallel > 1);
    const reins = needsReins
      ? new Deadline([exchange.cancellation], this.#timeoutMs, this.#build.clock, () => this.#late())
      : null;
    const round = new Round(exchange, branches, reins, this.#build, this.#stopOnError);
    let pending: void | Promise<void>;
    try {
      pending = this.#parallel === 1 ? round.walk() : round.workers(this.#parallel);
    } catch (thrown) {
      reins?.release();
      throw thrown;
    }
    if (pending !== undefined) return this.#later(exchange, round, pending, reins);
    reins?.release();
    this.#conclude(exchange, round);
  }

  async #later(exchange: Exchange, round: Round, work: Promise<void>, reins: Deadline | null): Promise<void> {
    const mine = exchange[journey];
    try {
      await (reins === null ? work : untilAborted(work, reins));
    } catch (thrown) {
      // The reins were drawn because of a failure: that failure is the reason, not the stop of the others.
      if (round.failed === null || !this.#stopOnError || exchange.isAborted) throw thrown;
    } finally {
      reins?.release();
    }
    if (exchange[journey] === mine) this.#conclude(exchange, round);
  }

  #conclude(exchange: Exchange, { failed, results }: Round): void {
    if (exchange.isAborted) throw abortReason(exchange.cancellation);
    if (failed?.failure) {
      exchange.fail(exchange.placed(failed.failure, failed.failedAt));
      return;
    }
    if (this.#aggregate === null) return;
    const gathered = exchange.branch(exchange.id, new Message(results, exchange.headers.copy()));
    exchange.body = this.#aggregate.evaluate(gathered);
  }

  #late(): HelixError {
    return new HelixError(
      'ENGINE.TIMED_OUT',
      `The branches took longer than their time-out of ${this.#timeoutMs} ms.`,
    );
  }
}

/** One run of a scatter. */
class Round {
  readonly results: unknown[] = [];
  /** The branch that failed first. */
  failed: Exchange | null = null;
  #count = 0;
  #isOver = false;

  constructor(
    private readonly exchange: Exchange,
    private readonly branches: Branches,
    private readonly reins: Deadline | null,
    private readonly build: RouteBuilder,
    private readonly stopOnError: boolean,
  ) {}

  /** One after the other; synchronous as long as the branches are. */
  walk(): void | Promise<void> {
    while (!this.#isDone()) {
      const next = this.branches.next();
      if (next instanceof Promise) return this.#work(next);
      if (next.done === true) {
        this.#isOver = true;
        return;
      }
      const pending = this.#start(next.value);
      if (pending !== undefined) return pending.then(() => this.#work());
    }
    return this.#leave();
  }

  async workers(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#work()));
  }

  async #work(first?: Promise<IteratorResult<Branch, void>>): Promise<void> {
    let read: IteratorResult<Branch, void> | Promise<IteratorResult<Branch, void>> | undefined = first;
    while (!this.#isDone()) {
      read ??= this.branches.next();
      const next: IteratorResult<Branch, void> = read instanceof Promise ? await read : read;
      read = undefined;
      if (next.done === true) {
        this.#isOver = true;
        return;
      }
      if (this.#isDone()) break;
      const pending = this.#start(next.value);
      if (pending !== undefined) await pending;
    }
    await this.#leave();
  }

  #isDone(): boolean {
    const { aborted } = this.reins ?? this.exchange.cancellation;
    return this.#isOver || aborted || (this.stopOnError && this.failed !== null);
  }

  /** Lets the source of the branches know that nobody reads on. */
  #leave(): void | Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const closing = this.branches.return?.();
    if (closing instanceof Promise) return closing.then(() => undefined);
  }

  #start({ message, process, variable }: Branch): void | Promise<void> {
    const at = this.#count++;
    const branch = this.exchange.branch(this.build.ids.next(), message);
    if (this.reins) branch.cancellation = this.reins;
    if (variable) branch.properties.set(...variable);
    const pending = process(branch);
    if (pending === undefined) this.#end(branch, at);
    else return pending.then(() => this.#end(branch, at));
  }

  #end(branch: Exchange, at: number): void {
    const { failure } = branch;
    if (failure === null) this.results[at] = branch.body;
    else if (this.failed === null) {
      this.failed = branch;
      if (this.stopOnError) this.reins?.abort(stopped());
    } else if (!branch.isAborted) {
      this.build.log.write('warn', 'a further branch failed', {
        workflow: this.build.workflowId,
        step: branch.failedAt?.stepId ?? null,
        exchange: branch.id,
        code: failure.code,
      });
    }
  }
}

function stopped(): HelixError {
  return new HelixError('ENGINE.CANCELLED', 'Another branch failed before this one was done.');
}
