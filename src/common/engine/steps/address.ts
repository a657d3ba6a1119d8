import type { Expression } from '../api/expression.js';
import { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';

/** The URI that a script gives. @throws HelixError `EXPRESSION.EVALUATION_FAILED` where it gives none */
export function evaluateAddress(script: Expression, exchange: Exchange): string {
  const target = script.evaluate(exchange);
  if (typeof target === 'string' && target !== '') return target;
  throw new HelixError(
    'EXPRESSION.EVALUATION_FAILED',
    `The target ${script.source} must give a URI, but gave ${target === '' ? 'an empty text' : typeof target}.`,
  );
}
