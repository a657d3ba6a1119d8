import type { GuardedFetch } from '../../../common/platform/egress/index.js';

/**
 * The standing GET stream of the older generation carries only news and questions, and a server that ends it at once would
 * be asked again every second for ever. It goes out where they are wanted, and not again within `pauseMs`; the GET that
 * resumes a cut answer always does.
 */
export class StandingStream {
  #nextAt: number;
  #opened: Promise<void> = Promise.resolve();

  constructor(
    private readonly fetcher: GuardedFetch,
    private readonly pauseMs: number,
  ) {
    this.#nextAt = pauseMs === Infinity ? Infinity : 0;
  }

  /** Resolves once the stream that was last asked for is open, or refused. Never rejects. */
  get opened(): Promise<void> {
    return this.#opened;
  }

  readonly fetch: GuardedFetch['fetch'] = (input, init) => {
    const isStanding = init?.method === 'GET' && !new Headers(init.headers).has('last-event-id');
    if (!isStanding) return this.fetcher.fetch(input, init);
    const now = performance.now();
    if (now < this.#nextAt) return Promise.resolve(new Response(null, { status: 405 }));
    this.#nextAt = now + this.pauseMs;
    const answer = this.fetcher.fetch(input, init);
    this.#opened = answer.then(ignore, ignore);
    return answer;
  };
}

function ignore(): void {}
