import { QueryFailedError } from 'typeorm';
import { HelixError } from '../../engine/errors/helix-error.js';

/** SQLSTATE of a failed statement (five characters), or the system's code of a lost connection (`ECONNREFUSED`). */
export function sqlStateOf(error: unknown): string | undefined {
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  const code: unknown = inner instanceof Error && 'code' in inner ? inner.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether a row with these unique values exists already; `constraint` names the one meant. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlStateOf(error) !== '23505') return false;
  if (constraint === undefined) return true;
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return (inner as { constraint?: string }).constraint === constraint;
}

/** Connection classes 08 and 57P, too many connections, read-only after a failover, and what a socket says. */
const outage =
  /^(08...|57P0[1-5]|53300|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENOENT)$/;
/** Collided with others, or took longer than a statement may. */
const busy = /^(40001|40P01|55P03|57014)$/;
const poolMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection/;

/**
 * What a failure of the database means to a caller; undefined where it is no failure of the database, or one that is
 * a mistake of ours. The message holds no value and no SQL.
 */
export function readQueryFailure(error: unknown): HelixError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = sqlStateOf(error);
  const isDriver = error instanceof QueryFailedError || poolMessages.test(error.message) || isPgError(error);
  if (!isDriver) return undefined;
  if (
    poolMessages.test(error.message) ||
    endsSession(error) ||
    (code !== undefined && (outage.test(code) || busy.test(code)))
  )
    return new HelixError('PLATFORM.DATABASE_UNAVAILABLE', 'The database does not answer; try again later.', {
      cause: error,
    });
  // Not a UUID, not a date: no row can be meant by such an id.
  if (code === '22P02' || code === '22007' || code === '22008')
    return new HelixError('HTTP.UNKNOWN_ROUTE', 'There is nothing with this identifier.', { cause: error });
  // NUL, lone surrogates, too long for the column.
  if (code === '22021' || code === '22P05' || code === '22001' || code === '22003')
    return new HelixError('HTTP.BAD_REQUEST', 'A value of the request cannot be stored.', { cause: error });
  return undefined;
}

/** The server refused or ended the whole session, whatever its reason: no statement was at fault. */
function endsSession(error: Error): boolean {
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  const severity: unknown = inner instanceof Error && 'severity' in inner ? inner.severity : undefined;
  return severity === 'FATAL' || severity === 'PANIC';
}

/** pg's own errors carry the severity of the server's message; those of its sockets the address they were about. */
function isPgError(error: Error): boolean {
  return (
    'severity' in error || ('syscall' in error && 'port' in error) || /\.s\.PGSQL\.\d+$/.test(error.message)
  );
}
