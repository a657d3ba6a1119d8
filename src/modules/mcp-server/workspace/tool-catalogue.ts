import type { JsonSchema } from '../../../common/engine/api/workflow-directory.js';
import type { Caller } from '../../../common/engine/model/caller.js';

/** What the workspace endpoint needs of whoever keeps the tools: to list them and to call one durably. */
export abstract class ToolCatalogue {
  abstract list(caller: Caller): Promise<readonly CatalogueEntry[]>;
  /** One tool by its id; null where the caller may see none of that id. */
  abstract find(caller: Caller, id: string): Promise<CatalogueEntry | null>;
  /** Calls the listener when the tools of this deployment may have changed; the returned function ends that. */
  abstract onChange(listener: () => void): () => void;
  /**
   * Resolves when the call is done. A client that leaves does not cancel it.
   * @throws HelixError `TOOL.UNKNOWN_TOOL`, `CALL.IDEMPOTENCY_MISMATCH`, or why the call cannot be made; nothing was
   *   run then
   */
  abstract call(caller: Caller, request: CatalogueRequest): Promise<CatalogueOutcome>;
}

export interface CatalogueEntry {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Null where the provider tells it in its own time. */
  readonly inputSchema: JsonSchema | null;
  readonly outputSchema: JsonSchema | null;
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
}

export interface CatalogueRequest {
  readonly toolId: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Same key, same request: the call that is there already. Null: a call of its own. */
  readonly idempotencyKey: string | null;
  readonly projectId: string | null;
  /** Who pays; null: decided as usual. */
  readonly funding: CatalogueFunding | null;
  /** Budget in USD micros; null: none was named. */
  readonly maxCostMicros: number | null;
}

export type CatalogueFunding = 'auto' | 'hlix' | 'organization';

export interface CatalogueOutcome {
  readonly callId: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'unknown';
  /** JSON text, null until succeeded. */
  readonly resultJson: string | null;
  readonly error: { readonly message: string; readonly retryable: boolean } | null;
}
