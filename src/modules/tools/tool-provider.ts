import type { FieldProblem, HelixError } from '../../common/engine/errors/helix-error.js';
import type { Caller } from '../../common/engine/model/caller.js';
import type { CatalogueTool, FundingSource } from './tool-descriptor.js';

/** What a provider can do, so that the durable call knows what is safe. */
export interface ProviderCapabilities {
  /** `search` counts all matches. */
  readonly totals: boolean;
  /** Which calls may be sent again under the same call id without running twice. */
  readonly upstreamIdempotency: 'none' | 'metered_only' | 'always';
  /** The cost of a call may become known after its result: `cost` answers. */
  readonly lateCost: boolean;
}

export interface ToolQuery {
  /** Empty: every tool. */
  readonly text: string;
  readonly limit: number;
  /** Tools that it refuses are neither shown nor counted. */
  readonly accepts: (tool: CatalogueTool) => boolean;
}

/** A workspace's credential at an upstream, opened for one use. */
export interface OpenConnection {
  /** The saved connection, for what its use shows; null for the operator's. */
  readonly id: string | null;
  readonly token: string;
  /** The upstream's own organization; `''` where the token carries it. */
  readonly organizationId: string;
}

export interface ProviderCall {
  readonly callId: string;
  readonly attempt: number;
  readonly toolId: string;
  readonly input: unknown;
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
  readonly caller: Caller;
}

/**
 * What the accounting service said of a call's cost so far, in USD micros. `micros` null: not known, which is not zero.
 * `settled` is final. `pending`: it will be known later ({@link ToolProvider.cost}), or never. A provider hands on what
 * it was told, nonsense included: what is negative, not whole or too large is refused where money is moved.
 */
export interface ReportedCost {
  readonly state: 'not_metered' | 'pending' | 'settled';
  readonly micros: number | null;
}

/** `released`: the upstream let go of what it held, and nothing is to be paid. */
export interface LateCost {
  readonly state: 'pending' | 'settled' | 'released';
  readonly micros: number | null;
}

export interface CostQuestion {
  readonly callId: string;
  readonly toolId: string;
  /** The upstream's receipt, as the outcome gave it; null where it gave none. */
  readonly reference: string | null;
}

/** Whether a workspace is shown a provider's tools. */
export type Offer =
  /** `connection`: what the workspace looks at the tools with; null where all see the same. */
  | { readonly isMade: true; readonly connection: OpenConnection | null }
  /** `reason`: for the caller to read, with what would change it. */
  | { readonly isMade: false; readonly reason: string };

/** On whose account a call reaches its upstream. `none`: on nobody's, since nothing is to be paid. */
export interface Payer {
  readonly organizationId: string;
  readonly source: FundingSource;
}

/** Whether a payer's calls can reach the upstream now. `connection` null: no credential is asked for. */
export type Connected =
  | { readonly isReady: true; readonly connection: OpenConnection | null }
  /** `reason`: for the caller to read, with what would change it. */
  | { readonly isReady: false; readonly reason: string };

/**
 * How a dispatch ended. `not_sent` did not reach the tool: it never left this machine, or was turned away before the tool,
 * so another try is safe; after `lost` the upstream may or may not have acted, so it is not.
 */
export type Outcome =
  | {
      readonly kind: 'ok';
      readonly result: unknown;
      readonly reference: string | null;
      readonly cost: ReportedCost;
    }
  | {
      readonly kind: 'failed' | 'not_sent' | 'lost';
      readonly code: string;
      /** For the caller to read; redacted. */
      readonly message: string;
      readonly retryable: boolean;
      readonly upstreamStatus: number | null;
      readonly reference: string | null;
      readonly cost: ReportedCost;
    };

export interface Matches {
  readonly tools: readonly CatalogueTool[];
  /** null: nobody knows. */
  readonly total: number | null;
  /** The provider does not answer at the moment: what it said last was searched. */
  readonly isStale?: boolean;
}

/**
 * A place that tools come from. A new one is added by listing it among the providers of the tools module; everything
 * above speaks this interface only. `connection` is null where the workspace has none.
 */
export abstract class ToolProvider {
  /** `helix`, `treg`, `mcp:<name>`, `openapi:<name>`: the prefix of its tools' ids, but for native ones. */
  abstract readonly id: string;
  abstract readonly capabilities: ProviderCapabilities;

  /** To every workspace, unless the provider needs something of it first. */
  offer(_organizationId: string): Promise<Offer> {
    return Promise.resolve({ isMade: true, connection: null });
  }

  /** Told when its tools have changed. @returns how to stop listening */
  onChange(_listener: () => void): () => void {
    return () => undefined;
  }

  /** Ends what it holds open, once the calls that are under way are done. Never rejects. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Opens the credential by which this payer's calls go out: with `organization` the workspace's own, with `hlix` the
   * operator's. Asked when a call is planned, again just before it is dispatched, and for the readiness in descriptors.
   */
  abstract connect(payer: Payer): Promise<Connected>;
  abstract search(query: ToolQuery, connection: OpenConnection | null, signal: AbortSignal): Promise<Matches>;
  /** @returns null where the provider has no such tool */
  abstract describe(
    id: string,
    connection: OpenConnection | null,
    signal: AbortSignal,
  ): Promise<CatalogueTool | null>;
  /** What the tool would refuse this input for; paths within the input, never a value. */
  abstract problems(tool: CatalogueTool, input: unknown): readonly FieldProblem[];
  /** Runs the tool; resolves for every way it can end. */
  abstract call(call: ProviderCall, connection: OpenConnection | null, signal: AbortSignal): Promise<Outcome>;

  /** What is known by now of a cost that was `pending`. Asked again and again until `HELIX_COST_DEADLINE` has passed. */
  cost(_question: CostQuestion, _connection: OpenConnection | null, _signal: AbortSignal): Promise<LateCost> {
    return Promise.resolve({ state: 'pending', micros: null });
  }

  /** What became of a run that was cut off by its time-out or a stop: an upstream goes on unseen. */
  cutOff(_tool: CatalogueTool, _reason: HelixError): Pick<Outcome, 'cost'> & { kind: 'failed' | 'lost' } {
    return { kind: 'lost', cost: { state: 'pending', micros: null } };
  }
}
