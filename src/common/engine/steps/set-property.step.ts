import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = {
  name: fields.text('Name of the property.'),
  content: fields.expression('Its value.', { inline: true }),
};

export class SetPropertyStep extends StepType {
  readonly keyword = 'set-property';
  readonly description =
    'Keeps a value beside the message, readable as vars.name, for as long as the exchange lives.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { name, content } = build.read(node, shape);
    return (exchange) => exchange.setProperty(name, content.evaluate(exchange));
  }
}
