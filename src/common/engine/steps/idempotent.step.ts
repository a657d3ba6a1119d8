import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError } from '../errors/helix-error.js';
import { journey, type Exchange } from '../model/exchange.js';
import type { StepNode } from '../model/workflow-definition.js';
import type { IdempotencyStore } from './idempotency-store.js';
import { MemoryIdempotencyStore } from './memory-idempotency-store.js';

const shape = {
  key: fields.expression('What makes two messages the same, such as an order’s id.'),
  steps: fields.steps('What to do once per key; where it fails, the key is free for another attempt.'),
  'on-duplicate': fields.steps('What to do with a message whose key is done.', { optional: true }),
  keep: fields.duration('How long a key is remembered.', 86_400_000),
  store: fields.text('Where keys are remembered: memory, or a store that the server brings.', 'memory'),
};

export class IdempotentStep extends StepType {
  readonly keyword = 'idempotent';
  readonly description = 'Does its steps once for each key, however often the message comes.';
  readonly shape = shape;
  #memory: IdempotencyStore | null = null;

  /** @param stores what `store:` may name beside `memory` */
  constructor(private readonly stores: Readonly<Record<string, IdempotencyStore>> = {}) {
    super();
  }

  compile(node: StepNode, build: RouteBuilder): Processor {
    const values = build.read(node, shape);
    const { key, keep } = values;
    const inner = build.pipeline(values.steps);
    const duplicate = values['on-duplicate'] === null ? null : build.pipeline(values['on-duplicate']);
    const memory = (this.#memory ??= new MemoryIdempotencyStore(build.clock));
    const all: Readonly<Record<string, IdempotencyStore>> = { memory, ...this.stores };
    const store = Object.hasOwn(all, values.store) ? all[values.store] : undefined;
    if (store === undefined) {
      build.problem({
        severity: 'error',
        rule: 'wrong-value',
        message: `There is no store "${values.store}"; write one of ${Object.keys(all).join(', ')}.`,
        place: node.place,
      });
      return () => undefined;
    }
    // Two steps may use the same keys for different things.
    const scope = `${build.workflowId}/${node.id ?? `${node.place.file}:${node.place.line}`}`;
    return async (exchange) => {
      const name = JSON.stringify([scope, keyOf(key.evaluate(exchange), key.source)]);
      const mine = exchange[journey];
      const state = await store.begin(name);
      if (exchange[journey] !== mine || exchange.isAborted) {
        if (state === 'mine') await store.release(name);
        return;
      }
      if (state === 'done') return duplicate?.(exchange);
      if (state === 'running') {
        throw new HelixError(
          'ENGINE.DUPLICATE_IN_PROGRESS',
          'A message with the same key is being worked on: try again when it is done.',
        );
      }
      await once(exchange, inner, store, name, keep);
    };
  }
}

async function once(
  exchange: Exchange,
  inner: Processor,
  store: IdempotencyStore,
  name: string,
  keepMs: number,
): Promise<void> {
  const mine = exchange[journey];
  await inner(exchange);
  const isDone = exchange[journey] === mine && exchange.failure === null;
  await (isDone ? store.complete(name, keepMs) : store.release(name));
}

function keyOf(value: unknown, source: string): unknown {
  if (value !== null && value !== undefined && value !== '') return value;
  throw new HelixError(
    'EXPRESSION.EVALUATION_FAILED',
    `The key ${source} is empty: every message without one would count as the same.`,
  );
}
