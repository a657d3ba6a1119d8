/** A PostgreSQL database by the name that the workspace gives it. */
export interface SqlConnection {
  readonly name: string;
  /** With its credentials: a secret. */
  readonly url: string;
  /** Connections held open at most. */
  readonly poolSize: number;
}

/** What can be bound: a list becomes an array of the database, null its NULL. */
export type SqlValue = string | number | boolean | null | Buffer | readonly SqlValue[];

export interface SqlAnswer {
  /** Plain data only: what has no counterpart in JSON is text, bytes are bytes. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows returned or changed. */
  readonly count: number;
}

/** What sql:// asks of the world. */
export interface SqlCaller {
  /**
   * Runs one statement, its values bound apart from its text. Aborted, it is cancelled in the database.
   * @throws HelixError `SQL.DATABASE_UNREACHABLE`, `SQL.STATEMENT_FAILED` (`details.sqlState`), or the reason of the signal
   */
  run(
    connection: SqlConnection,
    text: string,
    values: readonly SqlValue[],
    signal: AbortSignal,
  ): Promise<SqlAnswer>;
  /** Ends every connection. */
  close(): Promise<void>;
}
