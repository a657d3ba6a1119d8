import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';
import { isolate } from '../model/isolate.js';
import { Message } from '../model/message.js';
import type { StepNode } from '../model/workflow-definition.js';
import { Scatter, scatterShape, type Branch } from './scatter.js';

const shape = {
  parts: fields.expression(
    'What to take apart: a script that gives a list. null and [] are no turn at all.',
    {
      inline: true,
    },
  ),
  steps: fields.steps(
    'What to do with each part; it is the body there, and vars.split tells index and size.',
  ),
  streaming: fields.flag('Takes part after part as the source gives them, without waiting for the last.'),
  ...scatterShape,
};

type Parts = Iterable<unknown> | AsyncIterable<unknown>;

export class SplitStep extends StepType {
  readonly keyword = 'split';
  readonly description = 'Does its steps once for each part of a list.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const values = build.read(node, shape);
    const { parts, streaming } = values;
    const process = build.pipeline(values.steps);
    const scatter = new Scatter({ build, values });
    const run = (exchange: Exchange, found: Parts): void | Promise<void> =>
      scatter.run(
        exchange,
        Symbol.iterator in found ? turns(exchange, found, process) : lateTurns(exchange, found, process),
      );
    return (exchange) => {
      const found = partsOf(parts.evaluate(exchange), parts.source);
      if (streaming || Array.isArray(found)) return run(exchange, found);
      return whole(found).then((list) => run(exchange, list));
    };
  }
}

function partsOf(value: unknown, source: string): Parts {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  if (typeof value === 'object' && !(value instanceof Uint8Array)) {
    if (Symbol.iterator in value || Symbol.asyncIterator in value) return value as Parts;
  }
  const kind = value instanceof Uint8Array ? 'bytes' : `a ${typeof value}`;
  throw new HelixError(
    'EXPRESSION.EVALUATION_FAILED',
    `The parts of ${source} must be a list, but it gave ${kind}: write [payload] for a list of one, or valuesOf(payload).`,
  );
}

async function whole(parts: Parts): Promise<readonly unknown[]> {
  const list: unknown[] = [];
  for await (const part of parts) list.push(part);
  return list;
}

function* turns(exchange: Exchange, parts: Iterable<unknown>, process: Processor): Generator<Branch, void> {
  const size = Array.isArray(parts) ? parts.length : null;
  let index = 0;
  for (const part of parts) yield turn(exchange, part, process, index++, size);
}

async function* lateTurns(
  exchange: Exchange,
  parts: AsyncIterable<unknown>,
  process: Processor,
): AsyncGenerator<Branch, void> {
  let index = 0;
  for await (const part of parts) yield turn(exchange, part, process, index++, null);
}

function turn(
  { headers }: Exchange,
  part: unknown,
  process: Processor,
  index: number,
  size: number | null,
): Branch {
  return {
    message: new Message(isolate(part), headers.copy()),
    process,
    variable: ['split', { index, size }],
  };
}
