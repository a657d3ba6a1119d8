import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = {
  condition: fields.predicate('A script that gives true or false.', { inline: true, shorthand: true }),
  steps: fields.steps(
    'What to do where it holds; without it the rest of the workflow depends on the condition.',
    {
      optional: true,
    },
  ),
};

export class FilterStep extends StepType {
  readonly keyword = 'filter';
  readonly description = 'Does its steps, or goes on at all, only where the condition holds.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { condition, steps } = build.read(node, shape);
    if (steps === null) {
      return (exchange) => {
        if (!condition(exchange)) exchange.stopped = true;
      };
    }
    const inner = build.pipeline(steps);
    return (exchange) => (condition(exchange) ? inner(exchange) : undefined);
  }
}
