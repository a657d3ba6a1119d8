import { type ErrorCode, errorCodes, machineCode } from '../../../../common/engine/errors/error-codes.js';
import type { TregReply } from '../../../treg/index.js';
import type { Outcome, ReportedCost } from '../../tool-provider.js';

/** So much of a tool's own refusal is told to the caller, in characters. */
const longestExcerpt = 500;

/**
 * What an answer to `/call` says of the call. `redact` takes known secrets out: a tool may echo the token it was called
 * with.
 */
export function outcomeOf(reply: TregReply, redact: (text: string) => string): Outcome {
  const { status, headers, body } = reply;
  const text = redact(Buffer.from(body).toString());
  const reference = headers['x-treg-call-id'] ?? null;
  const cost = costOf(headers['x-treg-cost-micro']);
  if (status >= 200 && status < 300) return { kind: 'ok', result: resultOf(text), reference, cost };
  const { code, message } = refusalOf(reply, text);
  const retryable = errorCodes[code].retry === 'later';
  return {
    kind: headers['x-treg-error'] === undefined ? 'failed' : 'not_sent',
    code: machineCode(code),
    message,
    retryable,
    upstreamStatus: status,
    reference,
    cost,
  };
}

/**
 * No header: the call was not metered, which is not a cost of zero. A zero may stand for a settlement that failed, so
 * the ledger must confirm it.
 */
function costOf(header: string | undefined): ReportedCost {
  if (header === undefined) return { state: 'not_metered', micros: null };
  if (header.trim() === '0') return { state: 'pending', micros: null };
  return { state: 'settled', micros: /^-?\d+$/.test(header.trim()) ? Number(header) : Number.NaN };
}

function resultOf(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Treg's own refusals are told in our words: they may name the payer's balance. */
function refusalOf({ status, headers }: TregReply, text: string): { code: ErrorCode; message: string } {
  if (headers['x-treg-error'] === undefined) {
    const code =
      status === 429 ? 'UPSTREAM.RATE_LIMITED' : status >= 500 ? 'UPSTREAM.UNAVAILABLE' : 'UPSTREAM.REFUSED';
    const excerpt = text.trim().slice(0, longestExcerpt);
    return { code, message: `The tool answered ${status}${excerpt === '' ? '.' : `: ${excerpt}`}` };
  }
  switch (status) {
    case 401:
    case 403:
      return {
        code: 'UPSTREAM.CREDENTIAL_REFUSED',
        message: 'Treg refused the credential of the connection.',
      };
    case 402:
      return {
        code: 'UPSTREAM.UNPAID',
        message: 'The account at Treg has not enough balance for this tool.',
      };
    case 404:
    case 410:
      return { code: 'UPSTREAM.RETIRED', message: 'Treg has retired this tool.' };
    case 409:
      return {
        code: 'UPSTREAM.UNAVAILABLE',
        message: 'Treg was still working on an earlier try of this call.',
      };
    case 429:
      return { code: 'UPSTREAM.RATE_LIMITED', message: 'Treg asks to slow down.' };
    default:
      return status >= 500
        ? { code: 'UPSTREAM.UNAVAILABLE', message: `Treg cannot serve this tool at the moment (${status}).` }
        : { code: 'UPSTREAM.REFUSED', message: `Treg refused the call (${status}).` };
  }
}
