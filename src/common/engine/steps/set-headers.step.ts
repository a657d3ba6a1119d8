import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import type { StepNode } from '../model/workflow-definition.js';
import { checkHeaderName } from './header-name.js';

const shape = { headers: fields.expressions('A value for each header name.', { rest: true }) };

export class SetHeadersStep extends StepType {
  readonly keyword = 'set-headers';
  readonly description = 'Sets several headers; all values are computed before the first is set.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const headers = [...build.read(node, shape).headers];
    for (const [name] of headers) checkHeaderName(name, node, build);
    return (exchange) => {
      const values = headers.map(([, value]) => value.evaluate(exchange));
      headers.forEach(([name], at) => exchange.headers.set(name, values[at]));
    };
  }
}
