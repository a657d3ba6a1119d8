import type { IncomingMessage } from 'node:http';

/** What pages of other origins may do (Fetch standard, "CORS protocol"). Cookies are never allowed. */
export class Cors {
  readonly #any: boolean;
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#any = origins.includes('*');
    this.#origins = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  }

  allows(origin: string): boolean {
    return this.#any || this.#origins.has(origin.toLowerCase());
  }

  /** Headers of every answer, refusals included, so that the page can read why. */
  headers(request: IncomingMessage): Record<string, string> | null {
    const { origin } = request.headers;
    if (this.#origins.size === 0) return null;
    if (origin === undefined || !this.allows(origin)) return { Vary: 'Origin' };
    return {
      'Access-Control-Allow-Origin': this.#any ? '*' : origin,
      'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, Location, WWW-Authenticate',
      Vary: 'Origin',
    };
  }

  /** Headers of the answer to a preflight, or null where the origin may not call. */
  preflight(request: IncomingMessage, methods: readonly string[]): Record<string, string> | null {
    const { origin } = request.headers;
    const wanted = request.headers['access-control-request-headers'];
    if (origin === undefined || !this.allows(origin)) return null;
    return {
      ...this.headers(request),
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers':
        wanted && /^[\w\-., !#$%&'*+^`|~]*$/.test(wanted) ? wanted : 'Content-Type',
      'Access-Control-Max-Age': '600',
    };
  }
}

export function isPreflight(request: IncomingMessage): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}
