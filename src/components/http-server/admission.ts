import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../common/engine/api/ports.js';
import type { Applicant } from '../../common/engine/api/policy.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { EdgeGuard, RebindingPolicy } from '../../common/engine/policies/index.js';
import { Cors, isPreflight } from './cors.js';
import type { HttpServerOptions } from './options.js';
import type { Outgoing } from './send.js';

/** An answer given at the door, a refusal, or null to let in. */
export type Verdict = { readonly answer: Outgoing } | HelixError | null;

/** Who may come in, in the order of the contract: rebinding, CORS, method, trusted proxy, address, key, rate. */
export class Admission {
  readonly guard: EdgeGuard;
  readonly #cors: Cors;
  readonly #rebinding: RebindingPolicy;

  constructor(uri: EndpointUri, host: string, options: HttpServerOptions, clock: Pick<Clock, 'now'>) {
    const origins = options['cors-origins'];
    this.#cors = new Cors(origins);
    this.guard = new EdgeGuard(uri, options, clock);
    const { trustedProxies } = this.guard;
    this.#rebinding = new RebindingPolicy({ host, origins, trustedProxies });
  }

  /** Headers of every answer. */
  headers(request: IncomingMessage): Record<string, string> | null {
    return this.#cors.headers(request);
  }

  /**
   * Nothing of the body is read.
   * @param allow the methods of this path when the request's own is not among them
   */
  judge(
    request: IncomingMessage,
    applicant: Applicant,
    allow: readonly string[] | null,
  ): Verdict | Promise<Verdict> {
    const rebound = this.#rebinding.admit(applicant);
    if (rebound) return rebound;
    if (!allow) return this.guard.admit(applicant);
    if (request.method === 'OPTIONS') return { answer: this.#options(request, allow) };
    return new HelixError('HTTP.METHOD_NOT_ALLOWED', `${request.method} is not served here.`, {
      details: { allow: allow.join(', ') },
    });
  }

  /** A preflight carries no credentials, so it is answered before any are asked for. */
  #options(request: IncomingMessage, allow: readonly string[]): Outgoing {
    const preflight = isPreflight(request) ? this.#cors.preflight(request, allow) : null;
    const headers = preflight ?? { ...this.headers(request), Allow: allow.join(', ') };
    return { status: 204, headers, body: null };
  }
}
