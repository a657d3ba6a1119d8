import { HelixError } from '../../common/engine/errors/helix-error.js';
import { machineCode } from '../../common/engine/errors/error-codes.js';
import type { DispatchOutcome } from '../tools/index.js';
import type { Finish } from './call-journal.js';
import { storeResult } from './call-result.js';

type Ending = Pick<Finish, 'status' | 'resultJson' | 'resultTruncated' | 'error'>;

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
