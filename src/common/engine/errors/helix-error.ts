import { errorCodes, type ErrorCode, type ErrorMeaning } from './error-codes.js';

/** One field of a request that is wrong. `path` is a JSON Pointer (RFC 6901), `''` for the whole. Never the value. */
export interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface HelixErrorInit {
  readonly cause?: unknown;
  /** Facts a program may act on. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly fields?: readonly FieldProblem[];
}

/** The one error of Helix: a code from the table, a sentence that says what to do, and the facts. */
export class HelixError extends Error {
  override readonly name = 'HelixError';
  readonly details: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldProblem[] | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    init: HelixErrorInit = {},
  ) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.details = init.details ?? {};
    this.fields = init.fields;
  }

  get meaning(): ErrorMeaning {
    return errorCodes[this.code];
  }

  /** What whoever sent the request may read. */
  get publicMessage(): string {
    return this.meaning.exposure === 'caller' ? this.message : this.meaning.summary;
  }

  /** Any thrown thing as a HelixError; what is unknown becomes `ENGINE.INTERNAL` with the thing as its cause. */
  static from(thrown: unknown, code: ErrorCode = 'ENGINE.INTERNAL'): HelixError {
    if (thrown instanceof HelixError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new HelixError(code, message, { cause: thrown });
  }
}
