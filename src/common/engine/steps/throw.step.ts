import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { codedFailure } from '../errors/coded-failure.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = {
  message: fields.expression('What went wrong, for whoever sent the message.', {
    inline: true,
    shorthand: true,
    optional: true,
  }),
  code: fields.text('A code AREA.NAME: one of the known, or your own to match in on-exception.', null),
};

export class ThrowStep extends StepType {
  readonly keyword = 'throw';
  readonly description =
    'Fails the workflow; inside on-exception without a message it throws the failure on.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { message, code } = build.read(node, shape);
    return (exchange) => {
      if (message === null && code === null && exchange.caught !== null) throw exchange.caught;
      const said = message?.evaluate(exchange) ?? 'The workflow reported a failure.';
      const text = typeof said === 'string' ? said : JSON.stringify(said);
      throw codedFailure(code, text);
    };
  }
}
