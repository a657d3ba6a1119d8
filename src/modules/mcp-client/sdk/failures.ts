import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { streamLost } from './watched-http.transport.js';

/** What went wrong with a call. Of a lost connection, `details.unsent` says that the tool surely did not run. */
export function callFailure(thrown: unknown, tool: string): HelixError {
  if (thrown instanceof HelixError) return thrown;
  if (thrown instanceof ProtocolError && thrown.data !== streamLost) {
    return new HelixError('MCP.TOOL_FAILED', thrown.message, {
      cause: thrown,
      details: { tool, jsonRpcCode: thrown.code },
    });
  }
  if (thrown instanceof SdkHttpError && thrown.status !== 404) return httpFailure(thrown, tool);
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) {
    return new HelixError('ENGINE.TIMED_OUT', `The MCP tool "${tool}" did not answer in time.`, {
      cause: thrown,
    });
  }
  if (thrown instanceof SdkError && strange.has(thrown.code)) {
    return new HelixError('MCP.TOOL_FAILED', `The MCP server's answer cannot be used: ${thrown.message}`, {
      cause: thrown,
      details: { tool },
    });
  }
  const isRefused = thrown instanceof SdkHttpError || isNotConnected(thrown);
  return new HelixError(
    'MCP.CONNECTION_LOST',
    `The MCP server was lost during "${tool}": ${textOf(thrown)}`,
    {
      cause: thrown,
      details: { tool, ...(isRefused ? { unsent: true } : {}) },
    },
  );
}

/** What went wrong with the first connection. */
export function connectFailure(thrown: unknown, shown: string, stderr: string): HelixError {
  if (thrown instanceof HelixError) return thrown;
  const refusal = refusalBehind(thrown);
  if (refusal) return refusal;
  return new HelixError(
    'MCP.CONNECT_FAILED',
    `No session with the MCP server ${shown}: ${textOf(thrown)}${stderr === '' ? '' : ` It wrote: ${stderr}`}`,
    { cause: thrown, details: { server: shown, ...statusBehind(thrown) } },
  );
}

/** The answer was there, and no part of the protocol that we speak. */
const strange: ReadonlySet<string> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.CapabilityNotSupported,
  SdkErrorCode.MethodNotSupportedByProtocolVersion,
]);

function httpFailure(thrown: SdkHttpError, tool: string): HelixError {
  const isBusy = thrown.status === 429 || thrown.status === 503;
  return new HelixError(
    isBusy ? 'MCP.CONNECTION_LOST' : 'MCP.TOOL_FAILED',
    `The MCP server refused the call with HTTP ${thrown.status}.`,
    { cause: thrown, details: { tool, httpStatus: thrown.status } },
  );
}

/** Codes of connections that never came about, so that nothing was sent on them. */
function isNotConnected(thrown: unknown): boolean {
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.NotConnected) return true;
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH';
}

/** With which HTTP status the server refused the session, where it did. */
function statusBehind(thrown: unknown): { readonly httpStatus?: number } {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error instanceof SdkHttpError) return { httpStatus: error.status };
  }
  return {};
}

/** The SDK wraps what its fetch throws. */
function refusalBehind(thrown: unknown): HelixError | null {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error instanceof HelixError) return error;
  }
  return null;
}

/** Some errors have no text but their code, or that of the first attempt. */
function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.message !== '') return thrown.message;
  if (thrown instanceof AggregateError) return textOf(thrown.errors[0]);
  return (thrown as NodeJS.ErrnoException).code ?? thrown.name;
}
