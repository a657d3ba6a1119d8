import type { JsonSchema } from '../../common/engine/api/workflow-directory.js';
import type { ToolPolicy, ToolPricing } from '../../common/engine/model/tool-definition.js';

/** How a caller asks for a call to be paid. `auto` takes the workspace's own connection first, then the wallet. */
export const fundings = ['auto', 'hlix', 'organization'] as const;
export type Funding = (typeof fundings)[number];

/** Who pays in the end. `none`: nothing is to be paid. */
export type FundingSource = 'hlix' | 'organization' | 'none';

export interface Readiness {
  readonly ready: boolean;
  /** Why not, and what would change it; null where it is ready. */
  readonly reason: string | null;
}

export interface FundingReadiness {
  readonly auto: Readiness & { readonly source: FundingSource | null };
  readonly hlix: Readiness;
  readonly organization: Readiness;
}

/** What a call costs, and which service measures it: `helix` for native tools, else the upstream. */
export type CataloguePricing = ToolPricing & { readonly accountingService: string };

/** Of a tool whose provider tells no price, and is asked for no cost. */
export function unknownPrice(accountingService: string): CataloguePricing {
  return { model: 'unknown', micros: null, estimateMicros: null, note: null, accountingService };
}

/** A tool as a provider offers it, before anybody asked who would pay. */
export interface CatalogueTool {
  /** As called: a native id, or `<provider>:<upstream id>`. */
  readonly id: string;
  readonly provider: string;
  readonly origin: 'native' | 'upstream';
  readonly name: string;
  readonly summary: string;
  readonly description: string | null;
  /** JSON Schema 2020-12; null only in search results of a provider that tells it in `describe` alone. */
  readonly inputSchema: JsonSchema | null;
  readonly outputSchema: JsonSchema | null;
  readonly policy: ToolPolicy;
  readonly pricing: CataloguePricing;
  readonly status: 'available' | 'blocked' | 'retired';
  readonly statusNote: string | null;
  readonly docsUrl: string | null;
}

/** Contract: ToolDescriptor. */
export interface ToolDescriptor extends CatalogueTool {
  readonly funding: FundingReadiness;
}

/** What one provider contributed to a search. */
export interface SearchSource {
  readonly provider: string;
  readonly status: 'ok' | 'unavailable' | 'not_configured';
  readonly returned: number;
  /** null: the provider does not tell. */
  readonly total: number | null;
  readonly message: string | null;
}

/** Contract: ToolSearchResult. */
export interface ToolSearchResult {
  readonly items: readonly ToolDescriptor[];
  readonly total: number | null;
  readonly sources: readonly SearchSource[];
}

/** The total over all sources: unknown as soon as one source's total is. */
export function totalOf(sources: readonly SearchSource[]): number | null {
  let sum = 0;
  for (const { total } of sources) {
    if (total === null) return null;
    sum += total;
  }
  return sum;
}
