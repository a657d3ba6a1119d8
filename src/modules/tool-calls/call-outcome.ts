import { HelixError } from '../../common/engine/errors/helix-error.js';
import { machineCode } from '../../common/engine/errors/error-codes.js';
import type { DispatchOutcome } from '../tools/index.js';
import type { Finish } from './call-journal.js';
import { storeResult } from './call-result.js';

/** How a dispatch ended, as it is stored. Messages of upstreams may hold what was sent to them, so they are redacted. */
export function readOutcome(id: string, outcome: DispatchOutcome, redact: (text: string) => string): Finish {
  if (outcome.kind === 'ok') {
    try {
      const { json, truncated } = storeResult(outcome.result, outcome.maxResultBytes);
      return { id, status: 'succeeded', resultJson: json, resultTruncated: truncated, error: null };
    } catch (error) {
      const { code, message } = HelixError.from(error);
      return failed(id, 'failed', {
        code: machineCode(code),
        message,
        retryable: false,
        upstreamStatus: null,
      });
    }
  }
  const { code, message, retryable, upstreamStatus } = outcome;
  return failed(id, outcome.kind === 'lost' ? 'unknown' : 'failed', {
    code,
    message: redact(message),
    retryable,
    upstreamStatus,
  });
}

function failed(id: string, status: 'failed' | 'unknown', error: NonNullable<Finish['error']>): Finish {
  return { id, status, resultJson: null, resultTruncated: false, error };
}
