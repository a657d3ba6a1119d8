import { isErrorCode } from './error-codes.js';
import { HelixError } from './helix-error.js';

/** A failure of a code that an author wrote: one of the table, or a word of their own to match in `on-exception`. */
export function codedFailure(code: string | null, message: string): HelixError {
  if (code !== null && isErrorCode(code)) return new HelixError(code, message);
  return new HelixError('ENGINE.THROWN', message, code === null ? {} : { details: { code } });
}
