import type { CatalogueTool } from '../../../src/modules/tools/tool-descriptor.js';
import {
  type Connected,
  type CostQuestion,
  type LateCost,
  type Outcome,
  type Payer,
  type ProviderCall,
  ToolProvider,
} from '../../../src/modules/tools/tool-provider.js';

/** How one upstream tool behaves: what its call answers, and what its accounting service says later. */
export interface Upstream {
  readonly estimateMicros?: number | null;
  readonly call: (call: ProviderCall, signal: AbortSignal) => Outcome | Promise<Outcome>;
  readonly cost?: (question: CostQuestion) => LateCost | Promise<LateCost>;
}

/**
 * A metered upstream in memory, with a book of its own: stories count what reached it and what it was asked. It stands
 * where Treg stands in the product.
 */
export class PaidProvider extends ToolProvider {
  readonly id = 'paid';
  readonly capabilities = { totals: true, upstreamIdempotency: 'none', lateCost: true } as const;
  readonly calls: (ProviderCall & { readonly token: string | undefined })[] = [];
  readonly questions: CostQuestion[] = [];
  /** Whose credentials there are: workspaces, and `hlix` for the operator. */
  readonly connected = new Set<string>(['hlix']);
  /** Called after each look at a connection. */
  onConnect: ((source: Payer['source']) => unknown) | undefined;
  readonly #tools = new Map<string, Upstream>();

  /** @returns the id of the tool */
  add(name: string, upstream: Upstream): string {
    this.#tools.set(`paid:${name}`, upstream);
    return `paid:${name}`;
  }

  callsOf(toolId: string): number {
    return this.calls.filter((call) => call.toolId === toolId).length;
  }

  connect({ organizationId, source }: Payer): Promise<Connected> {
    const holder = source === 'organization' ? organizationId : 'hlix';
    const isReady = this.connected.has(holder);
    this.onConnect?.(source);
    return Promise.resolve(
      isReady
        ? { isReady: true, connection: { id: null, token: holder, organizationId: '' } }
        : { isReady: false, reason: `There is no connection of ${source} at the paid upstream.` },
    );
  }

  search() {
    const tools = [...this.#tools.keys()].map((id) => this.#describe(id));
    return Promise.resolve({ tools, total: tools.length });
  }

  describe(id: string): Promise<CatalogueTool | null> {
    return Promise.resolve(this.#tools.has(id) ? this.#describe(id) : null);
  }

  problems() {
    return [];
  }

  async call(
    call: ProviderCall,
    connection: { token: string } | null,
    signal: AbortSignal,
  ): Promise<Outcome> {
    this.calls.push({ ...call, token: connection?.token });
    return this.#of(call.toolId).call(call, signal);
  }

  override async cost(question: CostQuestion): Promise<LateCost> {
    this.questions.push(question);
    return this.#of(question.toolId).cost?.(question) ?? { state: 'pending', micros: null };
  }

  #of(id: string): Upstream {
    const upstream = this.#tools.get(id);
    if (!upstream) throw new Error(`The story has no ${id}.`);
    return upstream;
  }

  #describe(id: string): CatalogueTool {
    const { estimateMicros = null } = this.#of(id);
    return {
      id,
      provider: this.id,
      origin: 'upstream',
      name: id,
      summary: id,
      description: null,
      inputSchema: { type: 'object' },
      outputSchema: null,
      policy: {
        timeoutMs: 20_000,
        maxResultBytes: 1_000_000,
        sideEffects: 'write',
        redispatch: 'never',
        requiresProject: false,
      },
      pricing: { model: 'per_call', micros: null, estimateMicros, note: null, accountingService: 'paid' },
      status: 'available',
      statusNote: null,
      docsUrl: null,
    };
  }
}

/** A call that went well and cost so much; null: the upstream will tell later. */
export function paid(micros: number | null, reference: string | null = null): Outcome {
  return {
    kind: 'ok',
    result: 'done',
    reference,
    cost: micros === null ? { state: 'pending', micros: null } : { state: 'settled', micros },
  };
}

export function unpaid(
  kind: 'failed' | 'not_sent' | 'lost',
  cost: Outcome['cost'] = { state: 'settled', micros: 0 },
): Outcome {
  return {
    kind,
    code: 'upstream',
    message: 'No.',
    retryable: true,
    upstreamStatus: null,
    reference: null,
    cost,
  };
}
