import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorCodes, machineCode, type ErrorCode } from '../../engine/errors/error-codes.js';
import { HelixError, type FieldProblem } from '../../engine/errors/helix-error.js';
import { readQueryFailure } from '../database/query-failures.js';
import type { HelixLog } from '../logging/helix-log.js';

/** The two bodies of the contract: `{error}`, and `{error, fields}` where a body failed validation. */
export interface ErrorBody {
  readonly error: string;
  readonly fields?: readonly FieldProblem[];
}

/**
 * Turns whatever was thrown into one of the two bodies, with its machine code in `X-Helix-Error`. Only messages meant
 * for callers leave the house; the rest is logged under the request's id and told as the summary of its code.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly log: HelixLog) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const error = readThrown(thrown);
    this.#tell(error, thrown, http.getRequest<Request>());
    // An answer that has begun cannot be taken back; cutting it off is the one honest sign left.
    if (response.headersSent) response.destroy();
    else this.#answer(error, response);
  }

  #answer(error: HelixError, response: Response): void {
    const body: ErrorBody = { error: this.log.secrets.redact(error.publicMessage) };
    const fields = error.fields && error.fields.length > 0 ? { fields: error.fields } : undefined;
    response.setHeader('X-Helix-Error', machineCode(error.code));
    const { http } = error.meaning;
    if (http === 401) response.setHeader('WWW-Authenticate', 'ApiKey realm="helix"');
    if (error.meaning.retry === 'later' && (http === 429 || http === 503)) {
      const { retryAfterSeconds } = error.details;
      response.setHeader(
        'Retry-After',
        typeof retryAfterSeconds === 'number' ? Math.ceil(retryAfterSeconds) : 1,
      );
    }
    if (error.code === 'ENGINE.STOPPING') response.setHeader('Connection', 'close');
    response.status(http).json({ ...body, ...fields });
  }

  #tell(error: HelixError, thrown: unknown, { method, path }: Request): void {
    // Who is turned away under load is told by the edge, and no fault of the server's.
    const isRefusal = error.code === 'ENGINE.OVERLOADED' || error.code === 'ENGINE.STOPPING';
    if (error.meaning.http < 500 || isRefusal)
      this.log.write('debug', error.message, { code: error.code, method, path });
    else this.log.write('error', 'A request failed.', { code: error.code, method, path, error: thrown });
  }
}

const codesOfStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'ACCESS.UNAUTHENTICATED',
  403: 'ACCESS.INSUFFICIENT_SCOPE',
  404: 'HTTP.UNKNOWN_ROUTE',
  405: 'HTTP.METHOD_NOT_ALLOWED',
  413: 'HTTP.PAYLOAD_TOO_LARGE',
  415: 'HTTP.UNSUPPORTED_MEDIA_TYPE',
  429: 'ACCESS.RATE_LIMITED',
  503: 'ENGINE.OVERLOADED',
};

/** Errors of frameworks carry a status; their messages may quote the request, so the table's summary is told. */
export function readThrown(thrown: unknown): HelixError {
  if (thrown instanceof HelixError) return thrown;
  const ofDatabase = readQueryFailure(thrown);
  if (ofDatabase !== undefined) return ofDatabase;
  const status = statusOf(thrown);
  const code =
    codesOfStatus[status] ?? (status >= 400 && status < 500 ? 'HTTP.BAD_REQUEST' : 'ENGINE.INTERNAL');
  return new HelixError(code, errorCodes[code].summary, { cause: thrown });
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof URIError) return 400;
  const status: unknown = thrown instanceof Error && 'status' in thrown ? thrown.status : undefined;
  return typeof status === 'number' ? status : 500;
}
