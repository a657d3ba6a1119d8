/** A workspace's money, in USD micros (10^-6 USD). */
export interface Wallet {
  readonly organizationId: string;
  /** May be below zero: a settlement can exceed what was reserved for it. */
  readonly balanceMicros: number;
  /** Reserved by calls whose cost is not settled. */
  readonly heldMicros: number;
  readonly updatedAt: Date | null;
}

/** What further calls can reserve; below zero where more was spent than there was. */
export function headroomOf({
  balanceMicros,
  heldMicros,
}: Pick<Wallet, 'balanceMicros' | 'heldMicros'>): number {
  return balanceMicros - heldMicros;
}

/** A reservation of 0 asks for headroom all the same: what the call will cost is not known. */
export function canReserve(headroomMicros: number, amountMicros: number): boolean {
  return headroomMicros >= Math.max(amountMicros, 1);
}

export const holdStates = ['open', 'settled', 'released', 'captured'] as const;
/** `captured`: its cost never became known, and the reserved amount was taken. */
export type HoldState = (typeof holdStates)[number];

/** What one call reserved. */
export interface Hold {
  readonly callId: string;
  readonly organizationId: string;
  readonly amountMicros: number;
  readonly state: HoldState;
  readonly chargedMicros: number | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

export const entryKinds = ['top_up', 'adjustment', 'settle', 'overrun', 'capture'] as const;
/** `overrun`: what a settlement exceeded its reservation by. */
export type EntryKind = (typeof entryKinds)[number];

/** One movement of a wallet's money. Entries are only added. */
export interface LedgerEntry {
  readonly organizationId: string;
  /** Counts the entries of the wallet, without a gap. */
  readonly number: number;
  readonly kind: EntryKind;
  /** Above zero: into the wallet. */
  readonly amountMicros: number;
  /** Of the wallet after this entry. */
  readonly balanceMicros: number;
  readonly callId: string | null;
  readonly reason: string | null;
  readonly idempotencyKey: string | null;
  readonly createdBy: { readonly type: string; readonly id: string } | null;
  readonly createdAt: Date;
}

/** The largest amount that is believed, 10^9 USD: beyond it somebody's unit is wrong. */
export const mostMicros = 1_000_000_000_000_000;

/** What was judged of a cost, as the statements of money take it. `captured`: given up, the reservation is taken. */
export type CostVerdict =
  | { readonly state: 'settled'; readonly micros: number }
  | { readonly state: 'not_metered' | 'pending' | 'captured'; readonly micros: null };

export const pendingCost: CostVerdict = { state: 'pending', micros: null };

/**
 * Judges what an accounting service reported. Nonsense (negative, not whole, above {@link mostMicros}, settled without an
 * amount) is not believed: the cost stays pending, and `isOdd` asks for an alert. A price of −1 has minted money before.
 */
export function judgeCost(reported: {
  readonly state: CostVerdict['state'] | 'released';
  readonly micros: number | null;
}): {
  readonly verdict: CostVerdict;
  readonly isOdd: boolean;
} {
  const { state, micros } = reported;
  if (state === 'released') return { verdict: { state: 'settled', micros: 0 }, isOdd: false };
  if (state === 'settled') {
    const isCredible = micros !== null && Number.isInteger(micros) && micros >= 0 && micros <= mostMicros;
    // Of the two zeros only one may reach JSON and SQL.
    return isCredible
      ? { verdict: { state, micros: micros + 0 }, isOdd: false }
      : { verdict: pendingCost, isOdd: true };
  }
  return { verdict: { state, micros: null }, isOdd: false };
}
