import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = { body: fields.expression('The new body.', { inline: true, shorthand: true }) };

export class SetBodyStep extends StepType {
  readonly keyword = 'set-body';
  readonly description = 'Replaces the body.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { body } = build.read(node, shape);
    return (exchange) => {
      exchange.body = body.evaluate(exchange);
    };
  }
}
