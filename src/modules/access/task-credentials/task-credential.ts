import type { ApiKey } from '../keys/api-key.js';
import type { SpendLimit } from '../spend-limits.js';

/** The longest a credential for one task may live, in milliseconds. */
export const longestTaskMs = 30 * 86_400_000;

/** What a task is let do, all of it within one project and until a moment. */
export interface NewTaskCredential {
  readonly name: string;
  /** Ids of operations in the OpenAPI document. */
  readonly operations: readonly string[];
  /** null: every tool. */
  readonly toolIds: readonly string[] | null;
  readonly projectId: string;
  /** In USD micros; 0: nothing that costs. */
  readonly maxSpendMicros: number;
  readonly expiresAt: Date;
}

/** Kept as an API key of its own kind, with its limit where the money is. */
export interface TaskCredential {
  readonly key: ApiKey;
  readonly limit: SpendLimit | null;
}
