import { HelixError } from '../../common/engine/errors/helix-error.js';

/** Connection exceptions, too many connections, and a server that starts or stops (PostgreSQL, Appendix A). */
const isAway = (sqlState: string): boolean => /^(08...|53300|57P0[1-5])$/.test(sqlState);

/** What went wrong with a statement. The database's own text names values at times: it is for the operator. */
export function sqlFailure(thrown: unknown, connection: string): HelixError {
  if (thrown instanceof HelixError) return thrown;
  const facts = (thrown instanceof Error ? thrown : {}) as Readonly<Record<string, unknown>>;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const sqlState = typeof facts['severity'] === 'string' ? String(facts['code']) : null;
  if (sqlState === null || isAway(sqlState) || facts['severity'] === 'FATAL') {
    return new HelixError(
      'SQL.DATABASE_UNREACHABLE',
      `The database "${connection}" cannot be reached: ${message}`,
      { cause: thrown, details: { connection, ...(sqlState === null ? {} : { sqlState }) } },
    );
  }
  const constraint = facts['constraint'];
  return new HelixError(
    'SQL.STATEMENT_FAILED',
    `The database "${connection}" refused the statement: ${message}`,
    {
      cause: thrown,
      details: { connection, sqlState, ...(typeof constraint === 'string' ? { constraint } : {}) },
    },
  );
}
