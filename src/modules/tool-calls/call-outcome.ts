import { HelixError } from '../../common/engine/errors/helix-error.js';
import { machineCode } from '../../common/engine/errors/error-codes.js';
import type { DispatchOutcome } from '../tools/index.js';
import type { Finish } from './call-journal.js';
import { storeResult } from './call-result.js';

type Ending = Pick<Finish, 'status' | 'resultJson' | 'resultTruncated' | 'error'>;

/**
 * What a try says of the whole call. One that did not reach its tool says nothing of an earlier try that may have: whether
 * that one took effect, and what it cost, is not known.
 * @param attempt number of the try; 1 is the first
 */
export function ofAllTries(outcome: DispatchOutcome, attempt: number): DispatchOutcome {
  if (outcome.kind !== 'not_sent' || attempt <= 1) return outcome;
  return {
    ...outcome,
    kind: 'lost',
    code: machineCode('CALL.OUTCOME_UNKNOWN'),
    message: `The call was interrupted when its tool may have been reached, and could not be sent again: ${outcome.message}`,
    retryable: false,
    cost: { state: 'pending', micros: null },
  };
}

/** How a dispatch ended, as it is stored. Messages of upstreams may hold what was sent to them, so they are redacted. */
export function readOutcome(outcome: DispatchOutcome, redact: (text: string) => string): Ending {
  if (outcome.kind === 'ok') {
    try {
      const { json, truncated } = storeResult(outcome.result, outcome.maxResultBytes);
      return { status: 'succeeded', resultJson: json, resultTruncated: truncated, error: null };
    } catch (error) {
      const { code, message } = HelixError.from(error);
      return failed('failed', {
        code: machineCode(code),
        message,
        retryable: false,
        upstreamStatus: null,
      });
    }
  }
  const { code, message, retryable, upstreamStatus } = outcome;
  return failed(outcome.kind === 'lost' ? 'unknown' : 'failed', {
    code,
    message: redact(message),
    retryable,
    upstreamStatus,
  });
}

function failed(status: 'failed' | 'unknown', error: NonNullable<Finish['error']>): Ending {
  return { status, resultJson: null, resultTruncated: false, error };
}
