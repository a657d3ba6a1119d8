import { Injectable } from '@nestjs/common';
import type { FieldProblem } from '../../../common/engine/errors/helix-error.js';
import { machineCode } from '../../../common/engine/errors/error-codes.js';
import type { CatalogueTool } from '../tool-descriptor.js';
import { type Outcome, type ProviderCall, ToolProvider, type ToolQuery } from '../tool-provider.js';
import { ToolIndex } from '../tool-search.js';
import { type ShelvedTool, ToolShelf } from '../tool-shelf.js';

/** Longest summary, in characters; the description has the rest. */
const longestSummary = 200;

/** The tools of this deployment's own workflows. Their ids stand without a prefix. */
@Injectable()
export class NativeProvider extends ToolProvider {
  readonly id = 'helix';
  readonly capabilities = { totals: true, upstreamIdempotency: 'none', lateCost: false } as const;
  #made: {
    readonly of: readonly ShelvedTool[];
    readonly index: ToolIndex;
    readonly byId: Map<string, CatalogueTool>;
  };

  constructor(private readonly shelf: ToolShelf) {
    super();
  }

  search(query: ToolQuery): Promise<{ tools: CatalogueTool[]; total: number }> {
    const found = this.#current().index.search(query.text);
    return Promise.resolve({ tools: found.slice(0, query.limit), total: found.length });
  }

  describe(id: string): Promise<CatalogueTool | null> {
    return Promise.resolve(this.#current().byId.get(id) ?? null);
  }

  problems(tool: CatalogueTool, input: unknown): readonly FieldProblem[] {
    return this.shelf.problems(tool.id, input);
  }

  async call(call: ProviderCall, _connection: null, signal: AbortSignal): Promise<Outcome> {
    const exchange = await this.shelf.engine.request(`tool://${call.toolId}`, {
      body: call.input,
      caller: call.caller,
      signal,
    });
    const cost = { state: 'not_metered', micros: null } as const;
    if (exchange.failure === null) return { kind: 'ok', result: exchange.body, reference: null, cost };
    const { code, publicMessage, meaning } = exchange.failure;
    return {
      // The engine gave up on it: what the tool had done by then nobody knows.
      kind: code === 'ENGINE.STOPPING' ? 'lost' : 'failed',
      code: machineCode(code),
      message: publicMessage,
      retryable: meaning.retry === 'later',
      upstreamStatus: null,
      reference: null,
      cost,
    };
  }

  #current() {
    const all = this.shelf.all();
    if (this.#made?.of !== all) {
      const tools = all.map(describeNative);
      this.#made = {
        of: all,
        index: new ToolIndex(tools),
        byId: new Map(tools.map((tool) => [tool.id, tool])),
      };
    }
    return this.#made;
  }
}

function describeNative({ definition, inputSchema, outputSchema }: ShelvedTool): CatalogueTool {
  const { id, name, description, policy, price, docsUrl } = definition;
  return {
    id,
    provider: 'helix',
    origin: 'native',
    name: name ?? id,
    summary: summarise(description) ?? name ?? id,
    description,
    inputSchema,
    outputSchema,
    policy,
    pricing: { ...price, accountingService: 'helix' },
    status: 'available',
    statusNote: null,
    docsUrl,
  };
}

/** The first sentence, or the first line where that is shorter. */
function summarise(description: string | null): string | null {
  const [line = ''] = (description ?? '').trim().split('\n');
  const sentence = /^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line;
  if (sentence === '') return null;
  return sentence.length <= longestSummary
    ? sentence
    : `${sentence.slice(0, longestSummary - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
