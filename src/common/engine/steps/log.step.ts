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
  to: fields.choice(
    'Who reads it: the operator in the log, the caller of the workflow where its protocol has a way (MCP), or both.',
    ['operator', 'caller', 'both'],
    'operator',
  ),
};

/** Levels of MCP have other names (RFC 5424). */
const levelForCaller = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
} as const;

export class LogStep extends StepType {
  readonly keyword = 'log';
  readonly description = 'Writes a line to the log, or tells the caller one; the message stays as it is.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { message, level, to } = build.read(node, shape);
    const { log, workflowId } = build;
    return (exchange) => {
      const isLogged = to !== 'caller' && log.isEnabled?.(level) !== false;
      const link = to === 'operator' ? null : exchange.link;
      if (!isLogged && link === null) return;
      const value = message.evaluate(exchange);
      const said = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
      link?.log(levelForCaller[level], log.redact?.(said) ?? said, workflowId);
      if (!isLogged) return;
      log.write(level, said, {
        workflow: workflowId,
        step: exchange.stepId,
        exchange: exchange.id,
        correlation: exchange.correlationId,
      });
    };
  }
}
