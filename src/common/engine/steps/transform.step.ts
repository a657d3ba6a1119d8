import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = { body: fields.expression('What the message becomes.', { inline: true }) };

export class TransformStep extends StepType {
  readonly keyword = 'transform';
  readonly description =
    'Turns the message into another by a script; its output directive says in which format.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { body } = build.read(node, shape);
    const { mimeType } = body;
    return (exchange) => {
      const made = body.evaluate(exchange);
      exchange.body = made;
      // A text that stands for itself is not what application/json would make of it.
      const isPlainText = typeof made === 'string' && mimeType === 'application/json';
      if (mimeType !== undefined && !isPlainText) exchange.headers.set('Content-Type', mimeType);
    };
  }
}
