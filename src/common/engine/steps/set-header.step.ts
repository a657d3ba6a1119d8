import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';
import { checkHeaderName } from './header-name.js';

const shape = {
  name: fields.text('Name of the header.'),
  content: fields.expression('Its value.', { inline: true }),
};

export class SetHeaderStep extends StepType {
  readonly keyword = 'set-header';
  readonly description = 'Sets one header.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { name, content } = build.read(node, shape);
    checkHeaderName(name, node, build);
    return (exchange) => exchange.headers.set(name, content.evaluate(exchange));
  }
}
