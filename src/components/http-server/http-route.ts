import type { IncomingMessage, ServerResponse } from 'node:http';
import { Cancellation } from '../../common/engine/api/abort.js';
import type { Route } from '../../common/engine/api/component.js';
import type { Clock, IdSource, Log } from '../../common/engine/api/ports.js';
import { HelixError, type FieldProblem } from '../../common/engine/errors/helix-error.js';
import type { Caller } from '../../common/engine/model/caller.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import { applicantOf } from '../../common/engine/policies/index.js';
import type { ListenAddress } from './address.js';
import { Admission } from './admission.js';
import { exchangeHeaders, plainHeaders, queryParams, type HttpAttributes, type Target } from './inbound.js';
import type { HttpServerOptions } from './options.js';
import type { PathParams, PathPattern } from './path-pattern.js';
import type { Listen } from './listener.js';
import { methodsOf } from './methods.js';
import { problemOf } from './problem.js';
import { hasBody } from './read-body.js';
import { receiveBody } from './receive.js';
import { chosenStatus, replyOf } from './reply.js';
import type { Served } from './route-table.js';
import { runWithin } from './run-within.js';
import { send, type Outgoing } from './send.js';

/** What http-server asks of the world. */
export interface HttpServerPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  /** Default: on the network. */
  readonly listen?: Listen;
}

/** One request on its way, and how far it has come. */
interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly params: PathParams;
  /** The methods of this path when the request's own is not among them. */
  readonly allow: readonly string[] | null;
  exchange?: Exchange;
  readonly isLast?: boolean;
}

/** A request as the workflow gets it. */
interface Received {
  readonly exchange: Exchange;
  readonly attributes: HttpAttributes;
  readonly abort: Cancellation;
}

const defaultTimeoutMs = 60_000;

/** One workflow on one path: admits, decodes, runs, answers. Whatever happens, the client gets one answer. */
export class HttpRoute implements Served {
  readonly pattern: PathPattern;
  readonly methods: readonly string[];
  readonly #admission: Admission;
  readonly #timeoutMs: number;
  #draining = false;
  #leaving = false;
  #receiving = 0;

  /** @throws HelixError `WORKSPACE.*` when the options contradict each other */
  constructor(
    uri: EndpointUri,
    readonly listen: ListenAddress,
    private readonly options: HttpServerOptions,
    readonly route: Route,
    private readonly ports: HttpServerPorts,
  ) {
    const { workflow } = route;
    this.pattern = listen.pattern;
    this.methods = methodsOf(options.method, workflow.inputSchema !== null);
    this.#admission = new Admission(uri, listen.host, options, ports.clock);
    if (this.methods.every(isBodiless) && route.violations(null).length > 0) {
      throw new HelixError(
        'WORKSPACE.INVALID',
        `The input-schema of "${workflow.id}" describes a body, and ${this.methods.join(', ')} has none: serve POST, PUT or PATCH.`,
      );
    }
    this.#timeoutMs = options.timeout ?? (workflow.timeoutMs === null ? defaultTimeoutMs : 0);
  }

  get workflowId(): string {
    return this.route.workflow.id;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Not, or no longer, part of the version of the workspace that counts: another route may stand at this address. */
  get isGone(): boolean {
    return !this.route.serves(null);
  }

  /** Requests let in whose workflow has not begun: their bodies are on their way. */
  get receiving(): number {
    return this.#receiving;
  }

  /** From now on new requests are told that the workflow stops; those in flight are answered, and their connections end. */
  drain(): void {
    this.#draining = true;
  }

  /** Its listener closes: what is on its way is done as ever, and answered as the last on its connection. */
  leave(): void {
    this.#leaving = true;
  }

  async handle(visit: Visit): Promise<void> {
    const { request, response } = visit;
    this.#receiving++;
    try {
      const applicant = applicantOf(request);
      // Only what takes time is waited for: each turn that a request does not take is taken by others.
      const judged = this.#admission.judge(request, applicant, visit.allow);
      const verdict = judged instanceof Promise ? await judged : judged;
      if (verdict instanceof HelixError) throw verdict;
      if (verdict) return send(request, response, verdict.answer);
      this.#refuseWhenDraining();
      const caller = this.#admission.guard.caller(applicant);
      const body = hasBody(request) ? await receiveBody(request, response, this.options) : null;
      this.#refuseWhenDraining();
      const problems = this.route.violations(body);
      if (problems.length > 0) throw unprocessable(problems);
      const { exchange, attributes, abort } = this.#exchange(visit, caller, body);
      visit.exchange = exchange;
      const work = this.route.pass(exchange);
      this.#receiving--;
      const limit = { timeoutMs: this.#timeoutMs, clock: this.ports.clock };
      if (work !== undefined) await runWithin(work, limit, response, abort);
      if (exchange.failure) throw exchange.failure;
      this.#answer(visit, replyOf(exchange, attributes.headers, this.options.produces));
    } catch (thrown) {
      this.#fail(visit, HelixError.from(thrown));
    } finally {
      if (!visit.exchange) this.#receiving--;
    }
  }

  #refuseWhenDraining(): void {
    if (this.#draining) throw new HelixError('ENGINE.STOPPING', 'The workflow is being stopped.');
  }

  #exchange(visit: Visit, caller: Caller, body: unknown): Received {
    const query = queryParams(visit.target.query);
    if (!query) {
      throw new HelixError('HTTP.BAD_REQUEST', 'The query holds a broken percent-encoding: write % as %25.');
    }
    const attributes: HttpAttributes = {
      method: visit.request.method ?? 'GET',
      requestPath: visit.target.path,
      queryString: visit.target.query,
      queryParams: query,
      uriParams: visit.params,
      headers: plainHeaders(visit.request, this.#admission.guard.asksKeys),
      remoteAddress: caller.address,
    };
    const abort = new Cancellation();
    const headers = exchangeHeaders(attributes);
    const exchange = this.route.exchange({ pattern: 'InOut', body, headers, caller, signal: abort });
    exchange.properties.set('attributes', attributes);
    return { exchange, attributes, abort };
  }

  #fail(visit: Visit, error: HelixError): void {
    const { exchange } = visit;
    const requestId = this.#requestId(visit);
    if (error.meaning.http >= 500) {
      this.ports.log.write('error', 'A request failed.', {
        workflow: this.workflowId,
        step: exchange?.stepId,
        requestId,
        code: error.code,
        error: error.message,
      });
    }
    const problem = problemOf(error, {
      requestId,
      exposeErrors: this.options['expose-errors'],
      workflowId: this.workflowId,
      stepId: exchange?.stepId ?? null,
      status: exchange && statusOrNone(exchange),
    });
    // A message may quote what was sent elsewhere, with the key it was sent with.
    const body = this.ports.log.redact?.(problem.body) ?? problem.body;
    this.#answer(visit, { ...problem, body }, requestId);
  }

  #answer(visit: Visit, outgoing: Outgoing, requestId = this.#requestId(visit)): void {
    const { request, response } = visit;
    const headers: Record<string, string | string[]> = {
      ...this.#admission.headers(request),
      ...outgoing.headers,
      'X-Request-Id': requestId,
    };
    // Whoever is cut off in the middle of a body cannot use the connection for the next request.
    if (this.#draining || this.#leaving || !request.complete) headers['Connection'] = 'close';
    try {
      send(request, response, { ...outgoing, headers });
    } catch (thrown) {
      // A header value that HTTP does not allow: the workflow's doing, told once and without that header.
      if (visit.isLast || response.headersSent) response.destroy();
      else this.#fail({ ...visit, isLast: true }, HelixError.from(thrown));
    }
  }

  #requestId({ exchange }: Visit): string {
    return exchange?.id ?? this.ports.ids.next();
  }
}

const isBodiless = (method: string): boolean => method === 'GET' || method === 'DELETE' || method === 'HEAD';

function unprocessable(fields: readonly FieldProblem[]): HelixError {
  const first = fields[0];
  const where = first?.path ? `${first.path}: ` : '';
  return new HelixError(
    'HTTP.UNPROCESSABLE',
    `The body does not match the input schema: ${where}${first?.message ?? ''}`,
    { fields },
  );
}

/** A failure is told as it is, even when the status beside it is nonsense. */
function statusOrNone(exchange: Exchange): number | undefined {
  try {
    return chosenStatus(exchange);
  } catch {
    return undefined;
  }
}
