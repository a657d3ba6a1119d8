/** What one credential may spend in all, and what it has spent and holds. In USD micros. */
export interface SpendLimit {
  readonly limitMicros: number;
  readonly usedMicros: number;
}

/** What access asks of whoever keeps the money: to hold a credential to its limit with every reservation. */
export abstract class SpendLimits {
  abstract set(organizationId: string, credentialId: string, limitMicros: number): Promise<void>;
  /** null: no limit of its own. */
  abstract find(organizationId: string, credentialId: string): Promise<SpendLimit | null>;
}
