import { QueryFailedError } from 'typeorm';
import { HelixError } from '../../engine/errors/helix-error.js';

/** What a log may say about an error. */
export interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly stack?: string;
  readonly cause?: ErrorDescription;
}

const deepest = 5;

/**
 * Reads the allowed members of an error and no others: an error of a database or an HTTP client carries
 * parameters and headers. Of a failed query only SQLSTATE and constraint are told, since PostgreSQL's own
 * message may repeat values.
 */
export function describeError(thrown: unknown, depth = 0): ErrorDescription {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: String(thrown) };
  if (thrown instanceof QueryFailedError) return describeQueryFailure(thrown);
  const cause =
    thrown.cause === undefined || depth >= deepest ? undefined : describeError(thrown.cause, depth + 1);
  const code: unknown = 'code' in thrown ? thrown.code : undefined;
  return {
    name: thrown.name,
    message: thrown.message,
    ...(typeof code === 'string' && { code }),
    ...(thrown.stack !== undefined && !isCaller(thrown) && { stack: framesOf(thrown.stack) }),
    ...(cause && { cause }),
  };
}

function describeQueryFailure(failure: QueryFailedError): ErrorDescription {
  const { code, constraint } = failure.driverError as { code?: unknown; constraint?: unknown };
  const state = typeof code === 'string' ? code : 'unknown';
  const named = typeof constraint === 'string' ? { constraint } : {};
  return {
    name: 'QueryFailedError',
    message: `The database refused a statement (SQLSTATE ${state}).`,
    code: state,
    ...named,
    ...(failure.stack !== undefined && { stack: framesOf(failure.stack) }),
  };
}

/** The frames only: the head of a stack repeats the message, which may not be ours to tell. */
function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

/** Mistakes of a caller are everyday events; their stack would only tell about our filter. */
function isCaller(error: Error): boolean {
  return error instanceof HelixError && error.meaning.http < 500;
}
