import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the upstream ran, or refused after it had looked at it. */
export interface UpstreamCall {
  readonly tool: string;
  readonly key: string | undefined;
  readonly method: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
  readonly meta: string | undefined;
  readonly organization: string | undefined;
}

export interface LedgerEntry {
  readonly kind: 'hold' | 'settle' | 'release';
  readonly amount_micro: number;
}

export type Reply = (call: UpstreamCall, response: ServerResponse, request: IncomingMessage) => void;

/** What a tool of the fake does when it is called; `endpoint` overrides its row in the catalogue. */
export interface Scenario {
  readonly endpoint?: Readonly<Record<string, unknown>>;
  /** Micros in the header: a number or any text; null for none. Default 1,200. */
  readonly cost?: number | string | null;
  /** What the ledger says of it; default one `settle` of the cost. */
  readonly ledger?: () => readonly LedgerEntry[];
  /** Charged by the ledger, where that differs from the header. */
  readonly charged?: number;
  readonly reply?: Reply;
}

/** Right answers are JSON of what came in. */
const echo: Reply = ({ tool, query, body }, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ tool, query, body: body === '' ? null : (JSON.parse(body) as unknown) }));
};

/**
 * An upstream that speaks Treg's public wire on loopback, for stories: it wants token and team, keeps its own count of
 * runs and its own ledger, replays by idempotency key where it meters, and misbehaves as its scenarios say.
 */
export class FakeTreg {
  readonly token = 'tk_live_9f8e7d6c5b4a';
  readonly organization = 'acme';
  readonly runs: UpstreamCall[] = [];
  /** How a search is answered; stories turn it off or make its total odd. */
  search: 'ok' | 'down' | 'hang' = 'ok';
  /** How its catalogue tells of a single tool. */
  endpoints: 'ok' | 'down' = 'ok';
  total: unknown = undefined;
  readonly #scenarios = new Map<string, Scenario>();
  readonly #finished = new Map<string, { reference: string; send: (response: ServerResponse) => void }>();
  readonly #booked = new Map<string, Scenario>();
  #references = 0;
  #server: Server | undefined;

  get url(): string {
    if (this.#server === undefined) throw new Error('The fake is not started.');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done));
  }

  tool(id: string, scenario: Scenario = {}): this {
    this.#scenarios.set(id, scenario);
    return this;
  }

  runsOf(tool: string): UpstreamCall[] {
    return this.runs.filter((run) => run.tool === tool);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://fake');
    const [, area, second = '', third = ''] = url.pathname.split('/').map(decodeURIComponent);
    if (area === 'catalog' && second === 'search') this.#search(url, response);
    else if (area === 'catalog' && second === 'endpoints') this.#describe(third, response);
    else if (!this.#isAllowed(request, response)) return;
    else if (area === 'calls') this.#ledger(second, response);
    else if (area === 'call') this.#call(second, url, Buffer.concat(chunks).toString(), request, response);
    else refuse(response, 404, { detail: 'not found' });
  }

  #isAllowed({ headers }: IncomingMessage, response: ServerResponse): boolean {
    if (headers['x-treg-token'] !== this.token) refuse(response, 401, { detail: 'invalid token' });
    else if (headers['x-treg-org'] === undefined) refuse(response, 400, { detail: 'choose an org' });
    else if (headers['x-treg-org'] !== this.organization) refuse(response, 403, { detail: 'not a member' });
    else return true;
    return false;
  }

  #search(url: URL, response: ServerResponse): void {
    if (this.search === 'hang') return;
    if (this.search === 'down') return refuse(response, 503, { detail: 'down' });
    const text = url.searchParams.get('q') ?? '';
    const results = [...this.#scenarios.keys()]
      .filter((id) => text !== '' && id.includes(text))
      .map((id) => this.#row(id));
    json(response, 200, {
      query: text,
      count: results.length,
      total: this.total === undefined ? results.length : this.total,
      results,
      hints: [],
    });
  }

  #describe(id: string, response: ServerResponse): void {
    if (this.endpoints === 'down') return refuse(response, 503, { detail: 'down' });
    if (!this.#scenarios.has(id)) return refuse(response, 404, { detail: { did_you_mean: [] } });
    json(response, 200, { endpoint: this.#row(id), provider: {}, siblings: [], hints: [] });
  }

  #row(id: string): Record<string, unknown> {
    return {
      id,
      provider: 'fake',
      name: `Fake ${id}`,
      summary: `Does ${id}.`,
      method: 'POST',
      path: '/x',
      cost: { type: 'per_call', value: 1, currency: 'credit', usd: 0.0012 },
      status: null,
      input: {
        pathParams: { region: { type: 'string', required: false } },
        queryParams: { page: { type: 'integer', required: false } },
        body: { email: { type: 'string', required: true, note: 'the address' } },
      },
      docs_url: 'https://docs.example/x',
      ...this.#scenarios.get(id)?.endpoint,
    };
  }

  #ledger(reference: string, response: ServerResponse): void {
    const scenario = this.#booked.get(reference);
    if (scenario === undefined) return json(response, 200, { call: null, ledger: [], charged_micro: 0 });
    const amount = typeof scenario.cost === 'number' ? scenario.cost : 1_200;
    const ledger = scenario.ledger?.() ?? [{ kind: 'settle', amount_micro: amount }];
    const isSettled = ledger.some(({ kind }) => kind === 'settle');
    json(response, 200, { call: {}, ledger, charged_micro: isSettled ? (scenario.charged ?? amount) : 0 });
  }

  #call(tool: string, url: URL, body: string, request: IncomingMessage, response: ServerResponse): void {
    const scenario = this.#scenarios.get(tool);
    if (scenario === undefined) return refuse(response, 404, { detail: `no tool '${tool}'` });
    const { headers } = request;
    const key = headers['idempotency-key'] as string | undefined;
    const isMetered = scenario.cost !== null;
    const earlier = key === undefined || !isMetered ? undefined : this.#finished.get(key);
    if (earlier) {
      response.setHeader('x-treg-idempotent-replay', 'true');
      return earlier.send(response);
    }
    const call = {
      tool,
      key,
      method: request.method ?? '',
      query: Object.fromEntries(url.searchParams),
      body,
      meta: headers['x-treg-meta'] as string | undefined,
      organization: headers['x-treg-org'] as string | undefined,
    };
    this.runs.push(call);
    this.#references += 1;
    const reference = `ref-${this.#references}`;
    this.#booked.set(reference, scenario);
    const send = (to: ServerResponse) => {
      to.setHeader('x-treg-call-id', reference);
      if (isMetered) to.setHeader('x-treg-cost-micro', String(scenario.cost ?? 1_200));
      (scenario.reply ?? echo)(call, to, request);
    };
    if (key !== undefined) this.#finished.set(key, { reference, send });
    send(response);
  }
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** One of Treg's own refusals, told apart from a tool's by its header. */
export function refuse(response: ServerResponse, status: number, body: unknown): void {
  response.setHeader('x-treg-error', '1');
  json(response, status, body);
}
