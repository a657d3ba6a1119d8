import * as fields from '../api/fields/index.js';
import type { ShapeValues } from '../api/fields/index.js';
import { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';
import type { Processor } from '../api/processor.js';
import { matchedCode } from './exception-clause.js';
import { retryShape } from './retry-policy.js';

export const errorHandlerShape = {
  ...retryShape,
  'dead-letter': fields.uri('Where a copy goes of what could not be done; the failure itself goes on.', {
    optional: true,
  }),
} as const;

export type ErrorHandlerValues = ShapeValues<typeof errorHandlerShape>;

/** Sends an InOnly copy with what went wrong in its headers. */
export function deadLetterTo(
  send: Processor,
  nextId: () => string,
): (exchange: Exchange, failure: HelixError) => Promise<void> {
  return async (exchange, failure) => {
    const letter = exchange.copy(nextId(), 'InOnly');
    letter.caught = failure;
    letter.headers.set('HelixFailureCode', matchedCode(failure));
    letter.headers.set('HelixFailureMessage', failure.message);
    letter.headers.set('HelixFailureWorkflow', exchange.workflowId);
    letter.headers.set('HelixFailureStep', exchange.stepId);
    await send(letter);
    if (letter.failure !== null) throw HelixError.from(letter.failure);
  };
}
