import { Injectable } from '@nestjs/common';
import { type FieldProblem, HelixError } from '../../common/engine/errors/helix-error.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { type AuthContext, maySeeTool } from '../access/index.js';
import { PayerChoice } from './payer-choice.js';
import { parseQualifiers } from './search/qualifiers.js';
import {
  type CatalogueTool,
  type FundingSource,
  type SearchSource,
  type ToolDescriptor,
  type ToolSearchResult,
  totalOf,
} from './tool-descriptor.js';
import type { OpenConnection, ToolProvider } from './tool-provider.js';
import { ToolProviders } from './tool-providers.js';

export interface ToolSearch {
  /** Words to look for, and qualifiers such as `effects:read`. */
  readonly text: string | undefined;
  readonly provider: string | undefined;
  readonly limit: number;
}

/** How long one provider may take to answer a search; the others' tools are shown without it. */
const searchMs = 5_000;

/** The catalogue: what a workspace may call, from all providers. */
@Injectable()
export class ToolsService {
  constructor(
    private readonly providers: ToolProviders,
    private readonly payers: PayerChoice,
    private readonly log: HelixLog,
  ) {}

  /** A provider that fails is named as unavailable; the tools of the others are found all the same. */
  async search(auth: AuthContext, search: ToolSearch): Promise<ToolSearchResult> {
    const asked = this.providers.all.filter(
      ({ id }) => search.provider === undefined || search.provider === id,
    );
    const answers = await Promise.all(asked.map((provider) => this.#ask(provider, auth, search)));
    const sources = answers.map(({ source }) => source);
    const found = interleave(answers.map(({ tools }) => tools)).slice(0, search.limit);
    return {
      items: await this.payers.describe(auth.organizationId, found),
      total: totalOf(sources),
      sources,
    };
  }

  /** @throws HelixError `TOOL.UNKNOWN_TOOL` */
  async describe(auth: AuthContext, id: string): Promise<ToolDescriptor> {
    const [descriptor] = await this.payers.describe(auth.organizationId, [await this.find(auth, id)]);
    return descriptor as ToolDescriptor;
  }

  /**
   * @throws HelixError `TOOL.UNKNOWN_TOOL` where the workspace has no such tool, or the credential may not see it;
   * `UPSTREAM.UNREACHABLE` where its provider is down
   */
  async find(auth: AuthContext, id: string): Promise<CatalogueTool> {
    const provider = maySeeTool(auth, id) ? this.providers.ownerOf(id) : undefined;
    const offer = await provider?.offer(auth.organizationId);
    const tool = provider && offer?.isMade ? await this.#describe(provider, id, offer.connection) : null;
    if (!tool) throw new HelixError('TOOL.UNKNOWN_TOOL', 'No such tool or call in this workspace.');
    return tool;
  }

  /** What the tool would refuse this input for, with places in the body of `callTool`. */
  inputProblems(tool: CatalogueTool, input: unknown): readonly FieldProblem[] {
    const problems = this.providers.find(tool.provider)?.problems(tool, input) ?? [];
    return problems.map((problem) => ({ ...problem, path: `/input${problem.path}` }));
  }

  /**
   * Whether a call that was interrupted may run again by itself. An upstream that knows our call id as its idempotency
   * key runs it once; some know it only for calls that the platform pays.
   */
  redispatchOf({ provider, policy }: CatalogueTool, source: FundingSource): 'never' | 'safe' {
    if (policy.redispatch !== 'with_upstream_key') return policy.redispatch;
    const idempotency = this.providers.find(provider)?.capabilities.upstreamIdempotency;
    const isKnown = idempotency === 'always' || (idempotency === 'metered_only' && source === 'hlix');
    return isKnown ? 'safe' : 'never';
  }

  /** Told when tools may have changed. @returns how to stop listening */
  onChange(listener: () => void): () => void {
    return this.providers.onChange(listener);
  }

  async #describe(
    provider: ToolProvider,
    id: string,
    connection: OpenConnection | null,
  ): Promise<CatalogueTool | null> {
    try {
      return await provider.describe(id, connection, AbortSignal.timeout(searchMs));
    } catch (cause) {
      this.log.write('warn', 'A provider of tools did not describe one.', {
        provider: provider.id,
        error: cause,
      });
      throw new HelixError(
        'UPSTREAM.UNREACHABLE',
        'The provider of this tool does not answer at the moment.',
        { cause },
      );
    }
  }

  async #ask(
    provider: ToolProvider,
    auth: AuthContext,
    { text, limit }: ToolSearch,
  ): Promise<{ tools: readonly CatalogueTool[]; source: SearchSource }> {
    const wanted = parseQualifiers(text ?? '');
    const accepts = (tool: CatalogueTool) => maySeeTool(auth, tool.id) && wanted.accepts(tool);
    try {
      const offer = await provider.offer(auth.organizationId);
      if (!offer.isMade) return { tools: [], source: notConfigured(provider.id, offer.reason) };
      const query = { text: wanted.text, limit, accepts };
      const { tools, total, isStale } = await provider.search(
        query,
        offer.connection,
        AbortSignal.timeout(searchMs),
      );
      const returned = Math.min(tools.length, limit);
      const state =
        isStale === true
          ? ({ status: 'unavailable', message: searchedLast } as const)
          : ({ status: 'ok', message: null } as const);
      return { tools, source: { provider: provider.id, ...state, returned, total } };
    } catch (error) {
      this.log.write('warn', 'A provider of tools did not answer a search.', {
        provider: provider.id,
        error,
      });
      const message = 'The provider does not answer at the moment; its tools are left out.';
      return {
        tools: [],
        source: { provider: provider.id, status: 'unavailable', returned: 0, total: null, message },
      };
    }
  }
}

const searchedLast = 'The provider does not answer at the moment; what it said last was searched.';

function notConfigured(provider: string, message: string): SearchSource {
  return { provider, status: 'not_configured', returned: 0, total: 0, message };
}

/**
 * One list of several ranked ones, the best of each before the second of any: their scores are not comparable, their
 * ranks are. The deployment's own tools, which come first, win where ranks are equal.
 */
function interleave(lists: readonly (readonly CatalogueTool[])[]): CatalogueTool[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const ranks = Array.from({ length: longest }, (_, rank) => rank);
  return ranks.flatMap((rank) => lists.flatMap((list) => list[rank] ?? []));
}
