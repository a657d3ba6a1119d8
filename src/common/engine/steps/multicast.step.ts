import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { Exchange } from '../model/exchange.js';
import type { StepNode } from '../model/workflow-definition.js';
import { Scatter, scatterShape, type Branch } from './scatter.js';
import { targets } from './targets-field.js';

const shape = {
  to: targets('Targets, each of which gets a copy.', { shorthand: true }),
  branches: {
    ...fields.groups('Lists of steps, each of which is done on a copy.', {
      steps: fields.steps('What to do on this copy.'),
    }),
    required: false,
  },
  ...scatterShape,
};

export class MulticastStep extends StepType {
  readonly keyword = 'multicast';
  readonly description = 'Gives copies of the message to several targets or lists of steps.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const values = build.read(node, shape);
    const legs = [
      ...values.to.map((target) => build.pipeline([target])),
      ...values.branches.map(({ steps }) => build.pipeline(steps)),
    ];
    if (legs.length === 0) {
      build.problem({
        severity: 'error',
        rule: 'missing-key',
        message: 'A multicast needs targets: write to: [uri, uri], or branches with steps.',
        place: node.place,
      });
    }
    const scatter = new Scatter({ build, values });
    return (exchange) => scatter.run(exchange, copies(exchange, legs));
  }
}

/** Made when the leg begins, from a message that no leg can touch. */
function* copies(exchange: Exchange, legs: readonly Processor[]): Generator<Branch, void> {
  for (const process of legs) yield { message: exchange.in.copy(), process };
}
