import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { journey, type Exchange } from '../model/exchange.js';
import type { StepNode } from '../model/workflow-definition.js';
import { evaluateAddress } from './address.js';

const shape = {
  uri: fields.uri('Whom to ask.', { inline: true, shorthand: true, optional: true }),
  computed: fields.expression('Whom to ask: a script that gives a URI.', { inline: true, optional: true }),
  request: fields.expression('What to ask; without it a copy of the message.', { optional: true }),
  property: fields.text('Keeps the reply as this variable; the body stays.', null),
  aggregate: fields.expression('The new body; the reply is vars.reply there, the body still payload.', {
    optional: true,
  }),
};

export class EnrichStep extends StepType {
  readonly keyword = 'enrich';
  readonly description = 'Asks a target and adds its reply to the message, whose headers stay.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { uri, computed, request, property, aggregate } = build.read(node, shape);
    if ((uri === null) === (computed === null)) {
      build.problem({
        severity: 'error',
        rule: uri === null ? 'missing-key' : 'wrong-value',
        message: 'Say whom to ask, once: with uri or with starlang.',
        place: node.place,
      });
    }
    const fixed = uri === null ? null : build.send(uri);
    const send = (question: Exchange): void | Promise<void> => {
      if (fixed !== null) return fixed(question);
      if (computed !== null) return build.sendTo(evaluateAddress(computed, question), question);
    };
    const take = (exchange: Exchange, { body: reply }: Exchange): void => {
      if (aggregate !== null) {
        const both = exchange.branch(exchange.id, exchange.in);
        both.properties.set('reply', reply);
        exchange.body = aggregate.evaluate(both);
      }
      if (property !== null) exchange.setProperty(property, reply);
      else if (aggregate === null) exchange.body = reply;
    };
    return (exchange) => {
      const question = exchange.branch(build.ids.next(), exchange.in.copy());
      if (request !== null) question.body = request.evaluate(exchange);
      return ask(exchange, question, send, take);
    };
  }
}

/** A failure is thrown, so that the step is tried again as a `target` would be; its place is where it arose. */
function ask(
  exchange: Exchange,
  question: Exchange,
  send: Processor,
  take: (exchange: Exchange, question: Exchange) => void,
): void | Promise<void> {
  const mine = exchange[journey];
  const answered = (): void => {
    if (exchange[journey] !== mine) return;
    const failure = question.takeFailure();
    if (failure !== null) throw exchange.placed(failure, question.failedAt);
    take(exchange, question);
  };
  const pending = send(question);
  if (pending === undefined) answered();
  else return pending.then(answered);
}
