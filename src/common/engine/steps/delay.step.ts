import { pause } from '../api/abort.js';
import * as fields from '../api/fields/index.js';
import { parseDuration } from '../api/options.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError } from '../errors/helix-error.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = {
  time: fields.expression('How long: a time span such as 500ms or 2s, or a script that gives one.', {
    inline: true,
    shorthand: true,
  }),
};

export class DelayStep extends StepType {
  readonly keyword = 'delay';
  readonly description = 'Waits before it goes on; the end of the workflow’s time ends the wait.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { time } = build.read(node, shape);
    if (node.body.kind === 'scalar' && parseDuration(node.body.value) === null) {
      build.problem({
        severity: 'error',
        rule: 'wrong-value',
        message: 'A delay is a time span such as 500ms, 30s, 5m, 2h or 1d.',
        place: node.body.place,
      });
    }
    return (exchange) => {
      const ms = parseDuration(time.evaluate(exchange));
      if (ms === null) {
        throw new HelixError(
          'EXPRESSION.EVALUATION_FAILED',
          `The delay ${time.source} must be milliseconds or a time span such as 500ms.`,
        );
      }
      if (ms > 0) return pause(build.clock, ms, exchange.cancellation);
    };
  }
}
