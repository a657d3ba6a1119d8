import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { isReservedHeader } from '../model/message-headers.js';
import type { StepNode } from '../model/workflow-definition.js';
import { checkHeaderName } from './header-name.js';

const oneShape = { name: fields.text('Name of the header.', undefined, { shorthand: true }) };

export class RemoveHeaderStep extends StepType {
  readonly keyword = 'remove-header';
  readonly description = 'Removes one header.';
  readonly shape = oneShape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { name } = build.read(node, oneShape);
    checkHeaderName(name, node, build);
    return (exchange) => void exchange.headers.delete(name);
  }
}

const manyShape = {
  pattern: fields.texts('Names of the headers to remove; * stands for any characters.', {
    shorthand: true,
    required: true,
  }),
  exclude: fields.texts('Names that stay all the same; * stands for any characters.'),
};

export class RemoveHeadersStep extends StepType {
  readonly keyword = 'remove-headers';
  readonly description = "Removes all headers that match a pattern. The engine's own stay.";
  readonly shape = manyShape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { pattern, exclude } = build.read(node, manyShape);
    const goes = pattern.map(wildcard);
    const stays = exclude.map(wildcard);
    return ({ headers }) => {
      for (const [name] of Object.entries(headers.toObject())) {
        const isMeant = goes.some((regex) => regex.test(name)) && !stays.some((regex) => regex.test(name));
        if (isMeant && !isReservedHeader(name)) headers.delete(name);
      }
    };
  }
}

/** `X-*` as a regular expression over the whole name, without case. */
function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'is');
}
