import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = {
  when: fields.groups('Branches, tried in order; the first whose condition holds is taken.', {
    condition: fields.predicate('A script that gives true or false.', { inline: true }),
    steps: fields.steps('What to do then.'),
  }),
  otherwise: fields.steps('What to do where no condition holds.', { optional: true }),
};

export class ChoiceStep extends StepType {
  readonly keyword = 'choice';
  readonly description = 'Takes one of several branches.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { when, otherwise } = build.read(node, shape);
    const branches = when.map(({ condition, steps }) => ({ condition, run: build.pipeline(steps) }));
    const last = otherwise === null ? null : build.pipeline(otherwise);
    return (exchange) => {
      for (const { condition, run } of branches) {
        if (condition(exchange)) return run(exchange);
      }
      return last?.(exchange);
    };
  }
}
