import * as fields from '../api/fields/index.js';
import type { Expression } from '../api/expression.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = {
  done: fields.expression('How much is done: a number that grows from step to step.', { shorthand: true }),
  total: fields.expression('How much there is, where that is known.', { optional: true }),
  message: fields.expression('What happens now, for a person to read.', { optional: true }),
};

export class ProgressStep extends StepType {
  readonly keyword = 'progress';
  readonly description =
    'Tells the caller how far the work is, where the caller asked for that (MCP); the message stays as it is.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { done, total, message } = build.read(node, shape);
    return (exchange) => {
      const { link } = exchange;
      if (link === null) return;
      const said = message?.evaluate(exchange) ?? null;
      link.progress({
        progress: numberOf(done, exchange),
        total: total === null ? null : numberOf(total, exchange),
        message: said === null || typeof said === 'string' ? said : JSON.stringify(said),
      });
    };
  }
}

function numberOf(expression: Expression, exchange: Exchange): number {
  const value = expression.evaluate(exchange);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new HelixError('EXPRESSION.EVALUATION_FAILED', `The progress ${expression.source} must be a number.`);
}
