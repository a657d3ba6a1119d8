import { METHODS } from 'node:http';
import { closest } from '../../common/engine/api/options.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';

/** What the listener answers by itself, or cannot answer. */
const unserved: ReadonlySet<string> = new Set(['CONNECT', 'OPTIONS']);
const usual = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

/**
 * The methods of a route in upper case; without any given POST where a body is described, else GET and POST.
 * @throws HelixError `WORKSPACE.WRONG_OPTION` for a method that no request can have
 */
export function methodsOf(given: readonly string[], hasInputSchema: boolean): readonly string[] {
  if (given.length === 0) return hasInputSchema ? ['POST'] : ['GET', 'POST'];
  const methods = [...new Set(given.map((method) => method.toUpperCase()))];
  const odd = methods.find((method) => !METHODS.includes(method) || unserved.has(method));
  if (odd === undefined) return methods;
  const hint = closest(odd, usual);
  throw new HelixError(
    'WORKSPACE.WRONG_OPTION',
    `The option "method" holds "${odd}", which cannot be served${hint ? `; did you mean "${hint}"?` : `: write ${usual.slice(0, 5).join(', ')}.`}`,
    { details: { option: 'method', suggestion: hint } },
  );
}
