import { abortReason } from '../api/abort.js';
import type { Expression, Predicate } from '../api/expression.js';
import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError } from '../errors/helix-error.js';
import { journey, type Exchange } from '../model/exchange.js';
import type { StepNode } from '../model/workflow-definition.js';
import { breathe, breathIsDue } from '../runtime/breather.js';

const shape = {
  count: fields.expression('How many turns: a number, or a script that gives one.', { optional: true }),
  while: fields.predicate('Goes on while this holds; asked before each turn.', { optional: true }),
  steps: fields.steps('What to do in each turn; vars.loop tells the index.'),
};

export class LoopStep extends StepType {
  readonly keyword = 'loop';
  readonly description = 'Does its steps a number of times, or while a condition holds.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { count, while: condition, steps } = build.read(node, shape);
    if ((count === null) === (condition === null)) {
      build.problem({
        severity: 'error',
        rule: count === null ? 'missing-key' : 'wrong-value',
        message: 'A loop takes count or while, one of the two.',
        place: node.place,
      });
    }
    const inner = build.pipeline(steps);
    return (exchange) => {
      const before = exchange.properties.get('loop');
      const turns = new Turns(
        exchange,
        inner,
        count === null ? Infinity : countOf(count, exchange),
        condition,
      );
      const end = (): void => {
        if (before === undefined) exchange.properties.delete('loop');
        else exchange.properties.set('loop', before);
      };
      const pending = turns.run();
      return pending === undefined ? end() : pending.then(() => (turns.isMine ? end() : undefined));
    };
  }
}

function countOf(count: Expression, exchange: Exchange): number {
  const given = count.evaluate(exchange);
  const turns = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof turns === 'number' && Number.isSafeInteger(turns) && turns >= 0) return turns;
  throw new HelixError(
    'EXPRESSION.EVALUATION_FAILED',
    `The count ${count.source} of a loop must be a whole number of at least 0.`,
  );
}

/** Turn after turn on one exchange: no stack grows with their number, and the event loop is let in. */
class Turns {
  readonly #mine;
  #index = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly inner: Processor,
    private readonly count: number,
    private readonly condition: Predicate | null,
  ) {
    this.#mine = exchange[journey];
  }

  /** False once the exchange was given up by whoever runs the loop. */
  get isMine(): boolean {
    return this.exchange[journey] === this.#mine;
  }

  run(): void | Promise<void> {
    while (this.#goesOn()) {
      if (breathIsDue()) return this.#later(breathe());
      const pending = this.#turn();
      if (pending !== undefined) return this.#later(pending);
    }
  }

  async #later(first: Promise<void>): Promise<void> {
    await first;
    while (this.#goesOn()) {
      if (breathIsDue()) {
        await breathe();
        if (!this.isMine) return;
      }
      const pending = this.#turn();
      if (pending !== undefined) await pending;
    }
  }

  #turn(): void | Promise<void> {
    this.exchange.properties.set('loop', { index: this.#index++ });
    return this.inner(this.exchange);
  }

  #goesOn(): boolean {
    const { exchange } = this;
    if (!this.isMine || exchange.failure !== null || exchange.stopped) return false;
    if (exchange.isAborted) throw abortReason(exchange.cancellation);
    if (this.#index >= this.count) return false;
    if (this.condition === null) return true;
    exchange.properties.set('loop', { index: this.#index });
    return this.condition(exchange);
  }
}
