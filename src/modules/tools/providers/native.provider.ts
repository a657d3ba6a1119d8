import { Injectable } from '@nestjs/common';
import type { FieldProblem, HelixError } from '../../../common/engine/errors/helix-error.js';
import { costHeader } from '../../../common/engine/model/tool-definition.js';
import { type ErrorCode } from '../../../common/engine/errors/error-codes.js';
import type { CatalogueTool } from '../tool-descriptor.js';
import {
  type Connected,
  type Outcome,
  type Payer,
  type ProviderCall,
  type ReportedCost,
  ToolProvider,
  type ToolQuery,
} from '../tool-provider.js';
import { ToolIndex } from '../search/tool-index.js';
import { failed } from '../tool-failure.js';
import { type ShelvedTool, ToolShelf } from '../tool-shelf.js';
import { meter, type NativeRun } from './native-metering.js';

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

  /** The wallet pays for what Helix meters itself; no credential is needed, and none of a workspace could pay. */
  connect({ source }: Payer): Promise<Connected> {
    return Promise.resolve(
      source === 'organization'
        ? { isReady: false, reason: 'The tool is paid from the wallet: no connection can pay for it.' }
        : { isReady: true, connection: null },
    );
  }

  search(query: ToolQuery): Promise<{ tools: CatalogueTool[]; total: number }> {
    return Promise.resolve(this.#current().index.search(query.text, query.limit, query.accepts));
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
    const { body: result, failure } = exchange;
    const kind = failure === null ? 'ok' : kindOf(failure);
    if (failure !== null && isRefused(failure, exchange.failedAt?.workflowId ?? null))
      return { ...failed(failure), kind: 'not_sent', cost: { state: 'settled', micros: 0 } };
    const cost = this.#cost(call.toolId, { kind, result, reported: exchange.headers.get(costHeader) });
    if (failure === null || kind === 'ok') return { kind: 'ok', result, reference: null, cost };
    return { ...failed(failure), kind, cost };
  }

  override cutOff(tool: CatalogueTool, reason: HelixError) {
    const kind = kindOf(reason);
    return { kind, cost: this.#cost(tool.id, { kind, result: null, reported: undefined }) };
  }

  #cost(toolId: string, run: NativeRun): ReportedCost {
    const tool = this.#current().byId.get(toolId);
    return tool ? meter(tool.pricing, run) : { state: 'pending', micros: null };
  }

  #current() {
    const all = this.shelf.all();
    if (this.#made?.of !== all) {
      const tools = all.map(describeNative);
      this.#made = {
        of: all,
        index: ToolIndex.of(tools),
        byId: new Map(tools.map((tool) => [tool.id, tool])),
      };
    }
    return this.#made;
  }
}

/** Not one step of the tool was run: it is gone, or did not take the arguments. */
function isRefused({ code }: HelixError, failedIn: string | null): boolean {
  return failedIn === null && refusals.has(code);
}

const refusals: ReadonlySet<ErrorCode> = new Set([
  'TOOL.UNKNOWN_TOOL',
  'TOOL.INVALID_ARGUMENTS',
  'TOOL.RULE_VIOLATED',
  'ENGINE.NO_CONSUMER',
]);

/** The engine gave up on it: what the tool had done by then nobody knows. */
function kindOf({ code }: HelixError): 'failed' | 'lost' {
  return code === 'ENGINE.STOPPING' ? 'lost' : 'failed';
}

function describeNative({ definition, inputSchema, outputSchema }: ShelvedTool): CatalogueTool {
  const { id, name, description, policy, pricing, docsUrl } = definition;
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
    pricing: { ...pricing, accountingService: 'helix' },
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
