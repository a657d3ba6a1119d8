import type { TregClient, TregEndpoint } from '../../../treg/index.js';

/** How long a description is believed, in milliseconds; a call looks it up again and again. */
const freshMs = 60_000;
const mostKept = 1_000;

/** Endpoints by id, each asked for once a minute at most, however many calls want it at the same time. */
export class TregDirectory {
  readonly #kept = new Map<
    string,
    { readonly until: number; readonly endpoint: Promise<TregEndpoint | null> }
  >();

  constructor(private readonly client: TregClient) {}

  find(id: string): Promise<TregEndpoint | null> {
    const now = performance.now();
    const known = this.#kept.get(id);
    if (known && known.until > now) return known.endpoint;
    this.#kept.delete(id);
    const endpoint = this.client.endpoint(id, AbortSignal.timeout(10_000));
    this.#kept.set(id, { until: now + freshMs, endpoint });
    // What failed is asked for again.
    endpoint.catch(() => this.#kept.delete(id));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    return endpoint;
  }
}
