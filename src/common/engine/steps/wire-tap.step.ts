import type { Processor } from '../api/processor.js';
import * as fields from '../api/fields/index.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';
import { evaluateAddress } from './address.js';

const shape = {
  uri: fields.uri('Where the copy goes.', { inline: true, shorthand: true, optional: true }),
  computed: fields.expression('Where the copy goes: a script that gives a URI.', {
    inline: true,
    optional: true,
  }),
  steps: fields.steps('What to do with the copy.', { optional: true }),
};

export class WireTapStep extends StepType {
  readonly keyword = 'wire-tap';
  readonly description = 'Sends a copy on a way of its own, without waiting for it.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { uri, computed, steps } = build.read(node, shape);
    const ways: Processor[] = [];
    if (uri !== null) ways.push(build.chained('copy', build.send(uri)));
    if (computed !== null)
      ways.push(build.chained('copy', (copy) => build.sendTo(evaluateAddress(computed, copy), copy)));
    if (steps !== null) ways.push(build.pipeline(steps));
    const [way] = ways;
    if (way === undefined || ways.length > 1) {
      build.problem({
        severity: 'error',
        rule: way === undefined ? 'missing-key' : 'wrong-value',
        message: 'A wire-tap takes one of uri, starlang or steps.',
        place: node.place,
      });
    }
    return (exchange) => {
      if (way) build.detach(exchange.copy(build.ids.next(), 'InOnly'), way);
    };
  }
}
