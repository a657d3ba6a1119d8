import { pause } from '../api/abort.js';
import type { ErrorHandler } from '../api/error-handler.js';
import type { StepInfo } from '../api/interceptor.js';
import type { Clock, Log, Witness } from '../api/ports.js';
import type { Processor } from '../api/processor.js';
import { HelixError } from '../errors/helix-error.js';
import { journey, type Exchange } from '../model/exchange.js';
import { Message } from '../model/message.js';
import type { Burial } from './burial.js';
import { clauseFor, type ExceptionClause } from './exception-clause.js';
import { delayBefore, isPointless, type RetryPolicy } from './retry-policy.js';

export interface RecoveryInit {
  readonly clock: Clock;
  readonly log: Log;
  /** In [0, 1). */
  readonly random: () => number;
  readonly witness: Witness | null;
  readonly retry: RetryPolicy | null;
  /** The workflow's clauses, then the workspace's. */
  readonly clauses: readonly (readonly ExceptionClause[])[];
  /** Sends a copy of what could not be done; null where the workflow names no dead letter. */
  readonly deadLetter: Burial | null;
}

/**
 * A workflow's `error-handler` and `on-exception` around one step. A retry starts at the failed step with the message as
 * it stood before that step. How often was tried lives in this call's own variables: no step can reset it by removing
 * headers or properties.
 */
export class Recovery implements ErrorHandler {
  readonly #mayRetry: boolean;
  readonly #isIdle: boolean;

  constructor(private readonly init: RecoveryInit) {
    const clauses = init.clauses.flat();
    this.#mayRetry = [init.retry, ...clauses.map(({ retry }) => retry)].some(
      (retry) => (retry?.retries ?? 0) > 0,
    );
    this.#isIdle = !this.#mayRetry && clauses.length === 0 && init.deadLetter === null;
  }

  wrap(step: StepInfo, target: Processor): Processor {
    if (this.#isIdle) return target;
    return (exchange) => {
      const mine = exchange[journey];
      const before = this.#keep(exchange);
      let pending: void | Promise<void>;
      try {
        pending = target(exchange);
      } catch (thrown) {
        return this.#recover(exchange, step, target, before, thrown);
      }
      if (pending === undefined) return;
      return pending.catch((thrown: unknown) => {
        // Given up meanwhile: the exchange is on another way, and there is nothing to recover.
        if (exchange[journey] !== mine) throw thrown;
        return this.#recover(exchange, step, target, before, thrown);
      });
    };
  }

  /** The message as it stands: deep where a retry must find it unchanged, else by reference. */
  #keep({ in: message }: Exchange): Message {
    return this.#mayRetry ? message.copy() : new Message(message.body, message.headers.copy());
  }

  async #recover(
    exchange: Exchange,
    step: StepInfo,
    target: Processor,
    before: Message,
    thrown: unknown,
  ): Promise<void> {
    const mine = exchange[journey];
    let failure = HelixError.from(thrown);
    for (let turn = 1; ; turn++) {
      if (exchange.isAborted) throw failure;
      exchange.handle(failure);
      const clause = this.#judge(failure, exchange);
      const policy = clause?.retry ?? this.init.retry;
      if (policy === null || !shouldRetry(turn, policy, failure, exchange, clause)) {
        return this.#conclude(exchange, before, failure, clause, turn);
      }
      const wait = delayBefore(turn, policy, this.init.random());
      this.init.log.write('info', `retry ${turn} of ${policy.retries} in ${Math.round(wait)} ms`, {
        workflow: step.workflowId,
        step: step.stepId,
        exchange: exchange.id,
        code: failure.code,
      });
      await pause(this.init.clock, wait, exchange.cancellation);
      exchange.in = before.copy();
      exchange.caught = null;
      try {
        await target(exchange);
        return;
      } catch (again) {
        if (exchange[journey] !== mine) throw again;
        failure = HelixError.from(again);
      }
    }
  }

  /** A `when` that fails is a failure in a handler: the first failure is its cause. */
  #judge(failure: HelixError, exchange: Exchange): ExceptionClause | null {
    try {
      return clauseFor(failure, exchange, this.init.clauses);
    } catch (thrown) {
      throw because(HelixError.from(thrown), failure);
    }
  }

  async #conclude(
    exchange: Exchange,
    before: Message,
    failure: HelixError,
    clause: ExceptionClause | null,
    attempts: number,
  ): Promise<void> {
    exchange.in = before;
    if (clause !== null) this.init.witness?.clauseTaken(clause.place);
    if (clause === null || clause.outcome === 'passed-on')
      await this.init.deadLetter?.bury(exchange, failure, attempts);
    if (clause === null) throw failure;
    if (clause.steps !== null) {
      await clause.steps(exchange);
      const second = exchange.takeFailure();
      if (second !== null) throw second === failure ? failure : because(second, failure);
    }
    if (clause.outcome === 'passed-on') throw failure;
    if (clause.outcome === 'handled') exchange.stopped = true;
  }
}

function shouldRetry(
  turn: number,
  policy: RetryPolicy,
  failure: HelixError,
  exchange: Exchange,
  clause: ExceptionClause | null,
): boolean {
  if (turn > policy.retries) return false;
  const isAskedFor = clause?.retry !== null && clause?.retry !== undefined;
  if (!isAskedFor && isPointless(failure)) return false;
  if (policy.retryWhile === null) return true;
  try {
    return policy.retryWhile(exchange);
  } catch (thrown) {
    throw because(HelixError.from(thrown), failure);
  }
}

/** The second failure with the first as its cause. Causes of the second stay reachable; the chain does not grow by retries. */
function because(second: HelixError, first: HelixError): HelixError {
  return new HelixError(second.code, second.message, {
    cause: second.cause === undefined ? first : new AggregateError([first, second.cause], 'two failures'),
    details: second.details,
    ...(second.fields ? { fields: second.fields } : {}),
  });
}
