import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';
import type { StepNode } from '../model/workflow-definition.js';
import { Scatter, scatterShape, type Branch } from './scatter.js';

const shape = {
  recipients: fields.expression('Who gets a copy: a script that gives a list of URIs; [] is nobody.', {
    inline: true,
  }),
  ...scatterShape,
};

export class RecipientListStep extends StepType {
  readonly keyword = 'recipient-list';
  readonly description = 'Gives copies of the message to targets that a script names.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const values = build.read(node, shape);
    const { recipients } = values;
    const scatter = new Scatter({ build, values });
    /** Beside the message, where no step and no outside party can change it. */
    const addresses = new WeakMap<Exchange, string>();
    const send = build.chained('recipient', (branch) => build.sendTo(addresses.get(branch) ?? '', branch));
    const sendTo = (uri: string): Processor => {
      return (branch) => {
        addresses.set(branch, uri);
        return send(branch);
      };
    };
    return (exchange) => {
      const found = addressesOf(recipients.evaluate(exchange), recipients.source);
      return scatter.run(exchange, copies(exchange, found, sendTo));
    };
  }
}

function addressesOf(value: unknown, source: string): readonly string[] {
  if (value === null || value === undefined) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((each) => {
    if (typeof each === 'string' && each !== '') return each;
    throw new HelixError(
      'EXPRESSION.EVALUATION_FAILED',
      `The recipients ${source} must be URIs, but one is ${each === '' ? 'an empty text' : typeof each}.`,
    );
  });
}

function* copies(
  exchange: Exchange,
  uris: readonly string[],
  sendTo: (uri: string) => Processor,
): Generator<Branch, void> {
  for (const uri of uris) yield { message: exchange.in.copy(), process: sendTo(uri) };
}
