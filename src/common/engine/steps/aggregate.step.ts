import type { Expression, Predicate } from '../api/expression.js';
import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';
import { isolate } from '../model/isolate.js';
import { Message } from '../model/message.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = {
  correlation: fields.expression('Which group a message belongs to; without it there is one.', {
    optional: true,
  }),
  collect: fields.expression('What is kept of each message; without it the body.', { optional: true }),
  size: fields.integer('A group of so many is complete.', null, { minimum: 1 }),
  timeout: fields.duration(
    'A group is complete so long after its first message, however few there are.',
    null,
  ),
  predicate: fields.predicate('A group is complete when this holds; the payload is the list so far.', {
    optional: true,
  }),
  'max-groups': fields.integer('How many groups may be open; a message that begins one more fails.', 10_000, {
    minimum: 1,
  }),
  steps: fields.steps('What to do with a complete group; the body is the list of what was kept.'),
};

interface Group {
  /** A copy of the first message's exchange, whose body is the list. */
  readonly exchange: Exchange;
  readonly kept: unknown[];
  cancel: (() => void) | null;
}

/**
 * A complete group goes a way of its own: whoever sent the last message neither waits for it nor fails with it. When the
 * engine stops, open groups are complete as they are.
 */
export class AggregateStep extends StepType {
  readonly keyword = 'aggregate';
  readonly description = 'Gathers messages into groups and does its steps once for each group.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const values = build.read(node, shape);
    const { size, timeout, predicate } = values;
    if (size === null && timeout === null && predicate === null) {
      build.problem({
        severity: 'error',
        rule: 'missing-key',
        message: 'Say when a group is complete: size, timeout or predicate.',
        place: node.place,
      });
    }
    const groups = new Groups(build, build.pipeline(values.steps), values.timeout, values['max-groups']);
    build.onStop(() => groups.completeAll());
    const { correlation, collect } = values;
    return (exchange) => {
      const key = correlation === null ? '' : keyOf(correlation, exchange);
      // All that may fail comes before the group is touched, so that a retry adds nothing twice.
      const kept = isolate(collect === null ? exchange.body : collect.evaluate(exchange));
      const group = groups.find(key, exchange);
      if (isComplete(group, kept, size, predicate)) groups.complete(key, group);
    };
  }
}

function keyOf(correlation: Expression, exchange: Exchange): string {
  return JSON.stringify(correlation.evaluate(exchange)) ?? '';
}

function isComplete(group: Group, kept: unknown, size: number | null, predicate: Predicate | null): boolean {
  group.kept.push(kept);
  if (size !== null && group.kept.length >= size) return true;
  try {
    return predicate?.(group.exchange) ?? false;
  } catch (thrown) {
    group.kept.pop();
    throw thrown;
  }
}

class Groups {
  readonly #open = new Map<string, Group>();

  constructor(
    private readonly build: RouteBuilder,
    private readonly process: Processor,
    private readonly timeoutMs: number | null,
    private readonly most: number,
  ) {}

  find(key: string, exchange: Exchange): Group {
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    if (this.#open.size >= this.most) {
      throw new HelixError(
        'ENGINE.OVERLOADED',
        `${this.most} groups are open: this message would begin another.`,
      );
    }
    const kept: unknown[] = [];
    const message = new Message(kept, exchange.headers.copy());
    const group: Group = {
      exchange: exchange.copy(this.build.ids.next(), 'InOnly', message),
      kept,
      cancel: null,
    };
    this.#open.set(key, group);
    if (this.timeoutMs !== null)
      group.cancel = this.build.clock.schedule(this.timeoutMs, () => this.complete(key, group));
    return group;
  }

  complete(key: string, group: Group): void {
    group.cancel?.();
    // Complete already: its key may stand for the next group by now.
    if (this.#open.get(key) !== group) return;
    this.#open.delete(key);
    if (group.kept.length > 0) this.build.detach(group.exchange, this.process);
  }

  completeAll(): void {
    for (const [key, group] of this.#open) this.complete(key, group);
  }
}
