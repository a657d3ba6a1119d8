import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';

export class StopStep extends StepType {
  readonly keyword = 'stop';
  readonly description = 'Ends the workflow here, without a failure; a calling workflow goes on.';
  readonly shape = {};

  compile(node: StepNode, build: RouteBuilder): Processor {
    build.read(node, this.shape);
    return (exchange) => {
      exchange.stopped = true;
    };
  }
}
