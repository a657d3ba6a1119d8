import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { entry } from '../model/source-node.js';
import type { StepNode } from '../model/workflow-definition.js';
import { evaluateAddress } from './address.js';

const fixedShape = {
  uri: fields.uri('Where the message goes.', { inline: true, shorthand: true }),
};
const computedShape = {
  uri: fields.expression('Where this message goes: a script that gives a URI.', { inline: true }),
};

export class TargetStep extends StepType {
  readonly keyword = 'target';
  override readonly aliases = ['to'];
  readonly description = 'Sends the message to a URI; the reply is the new message.';
  readonly shape = {
    uri: fields.uri('Where the message goes.', { inline: true, shorthand: true, optional: true }),
    computed: fields.expression('Where this message goes: a script that gives a URI.', {
      inline: true,
      optional: true,
    }),
  };

  compile(node: StepNode, build: RouteBuilder): Processor {
    const isComputed = node.body.kind === 'map' && entry(node.body, 'starlang') !== undefined;
    if (!isComputed) return build.send(build.read(node, fixedShape).uri);
    const { uri } = build.read(node, computedShape);
    return (exchange) => build.sendTo(evaluateAddress(uri, exchange), exchange);
  }
}
