import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = {
  message: fields.expression('What to log: a text, or a script that gives one.', {
    inline: true,
    shorthand: true,
  }),
  level: fields.choice('How loud.', ['trace', 'debug', 'info', 'warn', 'error'], 'info'),
};

export class LogStep extends StepType {
  readonly keyword = 'log';
  readonly description = 'Writes a line to the log; the message stays as it is.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { message, level } = build.read(node, shape);
    const { log, workflowId } = build;
    return (exchange) => {
      if (log.isEnabled?.(level) === false) return;
      const said = message.evaluate(exchange);
      log.write(level, typeof said === 'string' ? said : (JSON.stringify(said) ?? 'null'), {
        workflow: workflowId,
        step: exchange.stepId,
        exchange: exchange.id,
        correlation: exchange.correlationId,
      });
    };
  }
}
