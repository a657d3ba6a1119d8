import type { Log } from '../api/ports.js';
import type { Processor } from '../api/processor.js';
import { HelixError } from '../errors/helix-error.js';
import { journey, noSignal, type Exchange } from '../model/exchange.js';
import { Message } from '../model/message.js';
import type { Received } from '../model/received.js';
import { matchedCode } from './exception-clause.js';

export interface BurialInit {
  readonly workflowId: string;
  /** The URI letters go to: two workflows with the same one write one letter of the same failure. */
  readonly destination: string;
  readonly send: Processor;
  /**
   * Of what letters are written: of `all` messages where the workflow names a dead letter; else only of what nobody waits
   * for, since everybody else learns of the failure; of `none` that comes again by itself.
   */
  readonly scope: 'all' | 'unawaited' | 'none';
  /** A step of the workflow puts messages aside: it must find them as they were received. */
  readonly keepsAll: boolean;
  readonly log: Log;
  nextId(): string;
}

/** Failures of which a letter was written, so that the same one makes no second letter further out. */
const told = new WeakSet<HelixError>();

/**
 * The dead letters of one workflow. The letter is of the message as the outermost workflow with the same destination
 * received it, so that sending it again does the whole work again, and it is written once that workflow has given up: a
 * retry further out that succeeds leaves none.
 */
export class Burial {
  constructor(private readonly init: BurialInit) {}

  /** Around the workflow's pipeline: keeps the message as it came, and buries what no step's error handler did. */
  around(pipeline: Processor): Processor {
    return (exchange) => {
      const mine = exchange[journey];
      const isUnawaited = exchange.pattern === 'InOnly' && (mine?.level ?? 0) === 0;
      const { scope, keepsAll } = this.init;
      const buries = scope === 'all' || (scope === 'unawaited' && isUnawaited);
      if (!buries && !keepsAll) return pipeline(exchange);
      const outer = exchange.received;
      exchange.received = this.#receive(exchange, isUnawaited ? null : outer, buries);
      const conclude = (): void | Promise<void> => {
        // Given up by a workflow around this one, which has gone its way since.
        if (exchange[journey] !== mine) return;
        const { failure } = exchange;
        const isWithdrawn = failure?.code === 'ENGINE.CANCELLED' && !isUnawaited;
        const burying = !buries || failure === null || isWithdrawn ? undefined : this.bury(exchange, failure);
        if (burying !== undefined) return burying.then(() => void (exchange.received = outer));
        exchange.received = outer;
      };
      const pending = pipeline(exchange);
      return pending === undefined ? conclude() : pending.then(conclude);
    };
  }

  /** After work on a way of its own (a wire-tap, a group): what failed there is nobody else's to tell. */
  afterwards(exchange: Exchange): void | Promise<void> {
    if (exchange.failure !== null && this.init.scope !== 'none') return this.bury(exchange, exchange.failure);
  }

  /** @param attempts how often the failed step was tried. Never rejects: a letter that cannot be sent is logged. */
  bury(exchange: Exchange, failure: HelixError, attempts = 1): Promise<void> | undefined {
    const { received } = exchange;
    if (received?.isBuried) return undefined;
    if (told.has(failure) && (this.init.scope === 'unawaited' || received === null)) return undefined;
    if (received !== null && isLeftTo(received.outer, this.init.destination)) return undefined;
    told.add(failure);
    if (received !== null) received.isBuried = true;
    return this.#send(exchange, failure, attempts);
  }

  async #send(exchange: Exchange, failure: HelixError, attempts: number): Promise<void> {
    try {
      const letter = exchange.copy(this.init.nextId(), 'InOnly');
      // Whoever left or timed out takes nothing with them.
      letter.cancellation = noSignal;
      letter.caught = failure;
      letter.headers.set('HelixFailureCode', matchedCode(failure));
      letter.headers.set('HelixFailureMessage', failure.message);
      letter.headers.set('HelixFailureWorkflow', exchange.failedAt?.workflowId ?? exchange.workflowId);
      letter.headers.set('HelixFailureStep', exchange.failedAt?.stepId ?? exchange.stepId);
      letter.headers.set('HelixFailureAttempts', attempts);
      await this.init.send(letter);
      if (letter.failure !== null) throw HelixError.from(letter.failure);
    } catch (thrown) {
      const { code, message } = HelixError.from(thrown);
      this.init.log.write('error', `the dead letter could not be sent: ${message}`, {
        workflow: this.init.workflowId,
        exchange: exchange.id,
        code,
        lost: matchedCode(failure),
        because: failure.message,
      });
    }
  }

  #receive({ in: { body, headers }, pattern }: Exchange, outer: Received | null, buries: boolean): Received {
    const { workflowId } = this.init;
    const destination = buries ? this.init.destination : null;
    const message = new Message(body, headers.copy());
    return { workflowId, destination, message, pattern, outer, isBuried: false };
  }
}

function isLeftTo(outer: Received | null, destination: string): boolean {
  for (let each = outer; each !== null; each = each.outer) if (each.destination === destination) return true;
  return false;
}
