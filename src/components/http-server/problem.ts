import { STATUS_CODES } from 'node:http';
import type { HelixError } from '../../common/engine/errors/helix-error.js';

export interface ProblemContext {
  readonly requestId: string;
  readonly exposeErrors: boolean;
  readonly workflowId?: string | null;
  readonly stepId?: string | null;
  /** A status the workflow chose; counts when it is 400 or more. */
  readonly status?: number | undefined;
}

/** `application/problem+json` (RFC 9457). What is for the operator shows only with `exposeErrors`. */
export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function problemOf(error: HelixError, context: ProblemContext): Problem {
  const status = statusOf(error, context.status);
  const { requestId, exposeErrors, workflowId, stepId } = context;
  const problem = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: exposeErrors ? error.message : error.publicMessage,
    instance: `urn:uuid:${requestId}`,
    code: error.code,
    requestId,
    ...(workflowId && stepId ? { step: `/workflows/${pointer(workflowId)}/steps/${pointer(stepId)}` } : {}),
    ...(error.fields
      ? { errors: error.fields.map(({ path, code, message }) => ({ pointer: path, code, detail: message })) }
      : {}),
    ...(exposeErrors ? { details: error.details, causes: causesOf(error) } : {}),
  };
  const headers = { ...headersOf(error, status), 'Content-Type': 'application/problem+json' };
  return { status, headers, body: JSON.stringify(problem) };
}

function statusOf(error: HelixError, chosen: number | undefined): number {
  if (chosen !== undefined && chosen >= 400) return chosen;
  // 499 is a word of log files, not of HTTP: whoever still reads is told that the work was broken off.
  return error.meaning.http === 499 ? 503 : error.meaning.http;
}

function headersOf(error: HelixError, status: number): Record<string, string> {
  const { retryAfterSeconds, challenge, allow } = error.details;
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = typeof challenge === 'string' ? challenge : 'Bearer';
  if (typeof retryAfterSeconds === 'number') headers['Retry-After'] = String(retryAfterSeconds);
  else if (status === 429 || status === 503) headers['Retry-After'] = '1';
  if (typeof allow === 'string') headers['Allow'] = allow;
  return headers;
}

/** Messages of the causes, outermost first, never their stacks. */
function causesOf(error: HelixError): string[] {
  const messages: string[] = [];
  for (let cause = error.cause; cause instanceof Error && messages.length < 5; cause = cause.cause) {
    messages.push(cause.message);
  }
  return messages;
}

/** One token of a JSON Pointer (RFC 6901). */
const pointer = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');
