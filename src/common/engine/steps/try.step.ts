import type { Field } from '../api/fields/field.js';
import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { FieldReader, RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { clauseFor, readMatchers, type ExceptionClause } from '../error-handlers/exception-clause.js';
import { HelixError } from '../errors/helix-error.js';
import { journey, type Exchange } from '../model/exchange.js';
import { Message } from '../model/message.js';
import type { SourceNode } from '../model/source-node.js';
import type { StepNode } from '../model/workflow-definition.js';
import { dealWith } from './deal-with.js';

const clauseShape = {
  match: fields.texts('Error codes, prefixes (MCP.*) or /patterns/; without it every failure.'),
  when: fields.predicate('The clause counts only where this holds; the failure is readable as error.', {
    optional: true,
  }),
  steps: fields.steps('What to do then, with the message as it stood before the try.'),
};

interface CatchClause extends fields.ShapeValues<typeof clauseShape> {
  readonly source: SourceNode;
}

const clauses = fields.groups('Clauses for failures, or simply the steps for any failure.', clauseShape);

/** Clauses with `steps`, or the steps of the one clause that catches everything. */
const catches: Field<readonly CatchClause[]> = {
  kind: 'catch',
  sentence: clauses.sentence,
  required: false,
  fallback: [],
  schema: { anyOf: [clauses.schema, { $ref: '#/$defs/steps' }] },
  read(source, reader: FieldReader) {
    const items = source.kind === 'list' ? source.items : [source];
    const areClauses = items.some(
      (item) => item.kind === 'map' && item.entries.some(({ key }) => Object.hasOwn(clauseShape, key)),
    );
    const written: SourceNode = {
      kind: 'map',
      place: source.place,
      entries: [{ key: 'steps', place: source.place, value: source }],
    };
    return (areClauses ? items : [written]).map((item) => ({
      ...fields.readShape(item, clauseShape, reader),
      source: item,
    }));
  },
};

const shape = {
  do: fields.steps('What may fail.'),
  catch: catches,
  finally: fields.steps('What to do in any case at the end.', { optional: true }),
};

export class TryStep extends StepType {
  readonly keyword = 'try';
  readonly description = 'Deals with failures of its steps on the spot.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const values = build.read(node, shape);
    if (values.catch.length === 0 && values.finally === null) {
      build.problem({
        severity: 'error',
        rule: 'missing-key',
        message: 'A try needs catch or finally: without them write its steps directly.',
        place: node.place,
      });
    }
    const inner = build.pipeline(values.do, { unhandled: true });
    const found = values.catch.map(({ match, when, steps, source }): ExceptionClause => ({
      place: source.place,
      matchers: readMatchers(match, source, build),
      when,
      retry: null,
      outcome: 'handled',
      steps: build.pipeline(steps, { unhandled: values.finally !== null }),
    }));
    const last = values.finally === null ? null : build.pipeline(values.finally);

    return (exchange) => {
      const { in: message } = exchange;
      const before = new Message(message.body, message.headers.copy());
      const mine = exchange[journey];
      const isMine = (): boolean => exchange[journey] === mine;
      const chain = then(inner(exchange), () => (isMine() ? judge(exchange, before, found) : undefined));
      if (last === null) return then(chain, () => (isMine() ? surface(exchange) : undefined));
      return then(chain, () => finish(exchange, isMine(), last, build));
    };
  }
}

/** Without a promise where there is none to wait for. */
function then(pending: void | Promise<void>, follow: () => void | Promise<void>): void | Promise<void> {
  return pending === undefined ? follow() : pending.then(() => follow());
}

/** A failure of the steps goes to the clause that means it; without one it stays. */
function judge(
  exchange: Exchange,
  before: Message,
  clauses: readonly ExceptionClause[],
): void | Promise<void> {
  const { failure, caught } = exchange;
  if (failure === null || exchange.isAborted) return;
  exchange.takeFailure();
  exchange.caught = failure;
  let clause: ExceptionClause | null;
  try {
    clause = clauseFor(failure, exchange, [clauses]);
  } catch (thrown) {
    exchange.fail(because(thrown, failure));
    return;
  } finally {
    exchange.caught = caught;
  }
  if (!clause?.steps) {
    exchange.fail(failure);
    return;
  }
  exchange.in = before;
  return then(dealWith(exchange, failure, clause.steps), () => {
    const second = exchange.failure;
    if (second === null || second === failure) return;
    const at = exchange.failedAt;
    exchange.takeFailure();
    exchange.fail(exchange.placed(because(second, failure), at));
  });
}

/** What was not caught fails the step, so that the workflow's own error handler judges it. */
function surface(exchange: Exchange): void {
  const failure = exchange.takeFailure();
  if (failure !== null) throw failure;
}

/**
 * The last steps run whatever happened. Where the exchange was aborted nobody waits for them, and it may be on another
 * way already: a copy of it does them.
 */
function finish(
  exchange: Exchange,
  isMine: boolean,
  last: Processor,
  build: RouteBuilder,
): void | Promise<void> {
  if (!isMine || exchange.isAborted) {
    const copy = exchange.copy(build.ids.next(), 'InOnly');
    copy.caught = exchange.failure;
    build.detach(copy, last);
    return isMine ? surface(exchange) : undefined;
  }
  const first = exchange.takeFailure();
  const { failedAt, caught, stopped } = exchange;
  const mine = exchange[journey];
  exchange.stopped = false;
  if (first !== null) exchange.caught = first;
  return then(last(exchange), () => {
    if (exchange[journey] !== mine) return;
    exchange.caught = caught;
    exchange.stopped ||= stopped;
    const second = exchange.takeFailure();
    if (second !== null)
      throw first === null ? second : exchange.placed(because(second, first), exchange.failedAt);
    if (first !== null) throw exchange.placed(first, failedAt);
  });
}

/** The later failure, with the one that was being dealt with as its cause. */
function because(thrown: unknown, first: HelixError): HelixError {
  const second = HelixError.from(thrown);
  if (second === first) return first;
  return new HelixError(second.code, second.message, {
    cause: second.cause === undefined ? first : new AggregateError([first, second.cause], 'two failures'),
    details: second.details,
    ...(second.fields ? { fields: second.fields } : {}),
  });
}
