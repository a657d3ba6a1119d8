import type { IncomingMessage, ServerResponse } from 'node:http';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { applicantOf, RebindingPolicy, type AddressSet } from '../../../common/engine/policies/index.js';

export interface OriginRules {
  /** The host the server is bound to. */
  readonly host: string;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: AddressSet;
}

const allowedHeaders = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Accept',
  'Last-Event-ID',
  'Mcp-Session-Id',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'traceparent',
  'tracestate',
  'baggage',
];
const exposedHeaders = 'Mcp-Session-Id, WWW-Authenticate, Retry-After';

/**
 * Keeps foreign web pages out. On loopback the server's own places pass and what `cors_origins` spells out; elsewhere an
 * Origin must be listed, or `*` be (MCP 2025-11-25, "Security Warning" of Streamable HTTP). Programs send no Origin.
 */
export class Origins {
  readonly #rebinding: RebindingPolicy;
  readonly #listed: ReadonlySet<string>;

  constructor(private readonly rules: OriginRules) {
    const { host, corsOrigins: origins, trustedProxies } = rules;
    this.#rebinding = new RebindingPolicy({ host, origins, trustedProxies });
    this.#listed = new Set(origins.map(normal));
  }

  /** Null to go on; the CORS headers are then set, also for the errors to come. */
  judge(request: IncomingMessage, response: ServerResponse): HelixError | null {
    if (request.rawHeaders.filter((name, index) => index % 2 === 0 && isHost(name)).length > 1) {
      return crossSite('A request must have one Host header: two parties could each believe another one.');
    }
    const applicant = applicantOf(request);
    const refusal = this.#rebinding.admit(applicant);
    if (refusal) return refusal;
    const { origin } = request.headers;
    if (origin === undefined) return null;
    if (this.#listed.has('*') || this.#listed.has(normal(origin)) || this.#rebinding.active) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('vary', 'Origin');
      response.setHeader('access-control-expose-headers', exposedHeaders);
      return null;
    }
    if (this.rules.trustedProxies.has(applicant.peer)) return null;
    return crossSite('Pages of this Origin may not call here: the operator can list it in cors_origins.');
  }

  /** Answers a preflight. It carries no key and reaches no tool. */
  preflight(request: IncomingMessage, response: ServerResponse): void {
    const asked = (request.headers['access-control-request-headers'] ?? '').split(',');
    // The names of Mcp-Param-* headers come from the tools' schemas, so the ones asked for are repeated.
    const params = asked.map((name) => name.trim()).filter((name) => /^mcp-param-[\w-]{1,64}$/i.test(name));
    response.writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': [...allowedHeaders, ...params.slice(0, 50)].join(', '),
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    response.end();
  }
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}

function normal(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '');
}

function crossSite(message: string): HelixError {
  return new HelixError('ACCESS.CROSS_SITE_REQUEST', message);
}
