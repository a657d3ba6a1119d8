import { type ErrorCode, errorCodes, machineCode } from '../../../../common/engine/errors/error-codes.js';
import { HelixError } from '../../../../common/engine/errors/helix-error.js';
import type { HttpReply } from '../../../../common/platform/egress/index.js';
import { failed } from '../../tool-failure.js';
import type { Outcome } from '../../tool-provider.js';
import { isJsonType } from './import-document.js';

/** So much of the API's own refusal is told to the caller, in characters. */
const longestExcerpt = 500;
const notMetered = { state: 'not_metered', micros: null } as const;

export function outcomeOf(reply: HttpReply, redact: (text: string) => string): Outcome {
  const { status } = reply;
  const reference = reply.headers['x-request-id'] ?? null;
  if (status >= 200 && status < 300)
    return { kind: 'ok', result: resultOf(reply, redact), reference, cost: notMetered };
  const code = codeOf(status);
  const excerpt = redact(Buffer.from(reply.body).toString()).trim().slice(0, longestExcerpt);
  return {
    kind: 'failed',
    code: machineCode(code),
    message: `The API answered ${status}${excerpt === '' ? '.' : `: ${excerpt}`}`,
    retryable: errorCodes[code].retry === 'later',
    upstreamStatus: status,
    reference,
    cost: notMetered,
  };
}

/** Without an answer it is not known whether the API acted, unless nothing left this machine. */
export function afterFailure(failure: HelixError): Outcome {
  const isUnsent = failure.code === 'HTTP.TARGET_REFUSED' || failure.details['unsent'] === true;
  if (failure.code === 'HTTP.UNREADABLE_REPLY')
    return {
      ...failed(new HelixError('UPSTREAM.UNREADABLE', 'The answer of the API is too large.')),
      kind: 'failed',
      cost: notMetered,
    };
  const told = new HelixError(
    'UPSTREAM.UNREACHABLE',
    isUnsent ? 'The API could not be reached.' : 'The connection to the API broke before it answered.',
    { cause: failure },
  );
  return { ...failed(told), kind: isUnsent ? 'not_sent' : 'lost', cost: notMetered };
}

function codeOf(status: number): ErrorCode {
  if (status === 429) return 'UPSTREAM.RATE_LIMITED';
  if (status === 401 || status === 403) return 'UPSTREAM.CREDENTIAL_REFUSED';
  return status >= 500 ? 'UPSTREAM.UNAVAILABLE' : 'UPSTREAM.REFUSED';
}

/** JSON as a value, text as text, other bytes in base64 with their type. */
function resultOf({ headers, body }: HttpReply, redact: (text: string) => string): unknown {
  if (body.length === 0) return null;
  const contentType = headers['content-type'] ?? '';
  if (isJsonType(contentType) || contentType === '') {
    const text = redact(Buffer.from(body).toString());
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  if (/^text\/|xml|x-www-form-urlencoded|javascript|yaml/i.test(contentType))
    return redact(Buffer.from(body).toString());
  return { contentType, base64: Buffer.from(body).toString('base64') };
}
