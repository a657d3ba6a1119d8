import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { HelixError } from '../../engine/errors/helix-error.js';
import type { HelixLog } from '../logging/helix-log.js';
import type { Metrics } from '../metrics/metrics.js';
import { withRequestId } from './request-context.js';

export interface EdgeParts {
  readonly log: HelixLog;
  readonly metrics: Metrics;
  readonly nextId: () => string;
  readonly isHttps: boolean;
  readonly isStopping: () => boolean;
}

const acceptableId = /^[A-Za-z0-9._-]{8,128}$/;
const quietPaths = /^\/(health|metrics)(\/|$)/;

/**
 * The first thing a request meets: it gets an id and the headers of every answer, is counted, timed and logged (method,
 * path without query, status, milliseconds; never headers or bodies), and is refused where its path cannot be decoded
 * or the server is going away. Of answers 429 and 503 one line a second is logged, with the number of those before it
 * that were not: whoever overloads the server does not fill its log as well.
 */
export function edge({ log, metrics, nextId, isHttps, isStopping }: EdgeParts): RequestHandler {
  const requests = metrics.counter('helix_http_requests_total', 'HTTP requests answered.', [
    'method',
    'status',
  ]);
  const seconds = metrics.histogram(
    'helix_http_request_seconds',
    'Seconds from request to end of answer.',
    [],
  );
  const refusals = new RefusalSample();
  return (request: Request, response: Response, next: NextFunction) => {
    const began = performance.now();
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && acceptableId.test(given) ? given : nextId();
    setHeaders(response, id, isHttps);
    const { method, path } = request;
    response.once('close', () => {
      const took = performance.now() - began;
      requests.add(1, { method: knownMethod(method), status: String(response.statusCode) });
      seconds.observe(took / 1_000, {});
      const isQuiet = quietPaths.test(path);
      // A probe that finds the server not ready must not take the line of whoever was turned away.
      const unlogged = isQuiet ? 0 : refusals.unloggedBefore(response.statusCode);
      if (unlogged === null) return;
      const facts = {
        requestId: id,
        method,
        path,
        status: response.statusCode,
        ms: Math.round(took * 10) / 10,
        ...(unlogged > 0 && { unlogged }),
      };
      log.write(
        isQuiet ? 'debug' : 'info',
        'Request answered.',
        response.writableFinished ? facts : { ...facts, aborted: true },
      );
    });
    withRequestId(id, () => next(refusal(path, isStopping())));
  };
}

/** Between two lines of refusals with the same status, in milliseconds. */
const refusalGapMs = 1_000;

class RefusalSample {
  readonly #last = new Map<number, { at: number; unlogged: number }>();

  /** @returns how many like this one went by without a line; null: this is another one */
  unloggedBefore(status: number): number | null {
    if (status !== 429 && status !== 503) return 0;
    const now = performance.now();
    const last = this.#last.get(status);
    if (last !== undefined && now - last.at < refusalGapMs) {
      last.unlogged += 1;
      return null;
    }
    this.#last.set(status, { at: now, unlogged: 0 });
    return last?.unlogged ?? 0;
  }
}

function refusal(path: string, isStopping: boolean): HelixError | undefined {
  if (isStopping && !path.startsWith('/health/'))
    return new HelixError('ENGINE.STOPPING', 'The server is shutting down; try again in a moment.');
  try {
    decodeURIComponent(path);
    return undefined;
  } catch {
    return new HelixError('HTTP.BAD_REQUEST', 'The path is not correctly percent-encoded.');
  }
}

/** Answers are for one caller at one time; pages (Swagger UI) loosen the content policy for themselves. */
function setHeaders(response: Response, id: string, isHttps: boolean): void {
  response.setHeader('X-Request-Id', id);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  if (isHttps) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
}

/** A label takes values from a short list only, or whoever invents methods fills the memory. */
function knownMethod(method: string): string {
  return /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method : 'other';
}
