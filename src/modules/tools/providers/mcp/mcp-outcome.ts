import type { ErrorCode } from '../../../../common/engine/errors/error-codes.js';
import { HelixError } from '../../../../common/engine/errors/helix-error.js';
import type { SdkAnswer } from '../../../mcp-client/index.js';
import { failed } from '../../tool-failure.js';
import type { Outcome } from '../../tool-provider.js';

const notMetered = { state: 'not_metered', micros: null } as const;
/** So much of what a tool says of its failure is kept, in characters. */
const longestMessage = 2_000;

type Redact = (text: string) => string;

/** What a tool answered. `redact` takes known secrets out: a tool may echo the token that it was called with. */
export function outcomeOf(answer: SdkAnswer, redact: Redact): Outcome {
  if (answer.isError) {
    const text = redact(answer.text ?? '').trim() || 'The tool failed and did not say why.';
    return outcome('failed', 'MCP.TOOL_FAILED', text.slice(0, longestMessage));
  }
  const result = JSON.parse(redact(JSON.stringify(resultOf(answer)))) as unknown;
  return { kind: 'ok', result, reference: null, cost: notMetered };
}

/** Without an answer it is not known whether the tool ran, unless nothing reached the server. */
export function afterFailure(failure: HelixError, redact: Redact): Outcome {
  const { code, details } = failure;
  const status = typeof details['httpStatus'] === 'number' ? details['httpStatus'] : null;
  if (status === 401 || status === 403)
    return outcome('not_sent', 'UPSTREAM.CREDENTIAL_REFUSED', `The MCP server answered ${status}.`, status);
  if (code === 'MCP.CONNECT_FAILED')
    return outcome('not_sent', 'UPSTREAM.UNREACHABLE', 'The MCP server could not be reached.', status);
  if (code === 'MCP.EGRESS_REFUSED' || code === 'HTTP.TARGET_REFUSED')
    return outcome(
      'not_sent',
      'UPSTREAM.REFUSED',
      'The address of the MCP server is not allowed as a target.',
    );
  if (status === 429)
    return outcome('not_sent', 'UPSTREAM.RATE_LIMITED', 'The MCP server asks to slow down.', status);
  if (status !== null && status >= 500)
    return outcome('failed', 'UPSTREAM.UNAVAILABLE', `The MCP server answered ${status}.`, status);
  if (code === 'MCP.TOOL_FAILED')
    return outcome('failed', 'UPSTREAM.REFUSED', redact(failure.message).slice(0, longestMessage), status);
  if (code === 'MCP.CONNECTION_LOST')
    return details['unsent'] === true
      ? outcome('not_sent', 'UPSTREAM.UNREACHABLE', 'The MCP server could not be reached.', status)
      : outcome('lost', 'UPSTREAM.UNREACHABLE', 'The MCP server was lost before it answered.', status);
  return { ...failed(failure), kind: 'lost', cost: notMetered };
}

export function notSent(code: ErrorCode, message: string): Outcome {
  return outcome('not_sent', code, message);
}

function outcome(
  kind: 'failed' | 'not_sent' | 'lost',
  code: ErrorCode,
  message: string,
  upstreamStatus: number | null = null,
): Outcome {
  return { ...failed(new HelixError(code, message)), kind, upstreamStatus, cost: notMetered };
}

/** Structured content where there is some, else the text; pictures and the like stay parts of a list. */
function resultOf({ structured, text, content }: SdkAnswer): unknown {
  if (structured !== undefined && structured !== null) return structured;
  const isText = content.every((part) => (part as { type?: unknown }).type === 'text');
  return isText ? (text ?? null) : { content };
}
