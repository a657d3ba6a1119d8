import { machineCode } from '../../common/engine/errors/error-codes.js';
import type { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Outcome } from './tool-provider.js';

type Failure = Omit<Exclude<Outcome, { readonly kind: 'ok' }>, 'kind' | 'cost'>;

/** What a failure of our own says of an outcome. */
export function failed({ code, publicMessage, meaning }: HelixError): Failure {
  return {
    code: machineCode(code),
    message: publicMessage,
    retryable: meaning.retry === 'later',
    upstreamStatus: null,
    reference: null,
  };
}
