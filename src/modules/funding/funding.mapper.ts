import type { HoldEntity } from './entities/hold.entity.js';
import type { LedgerEntryEntity } from './entities/ledger-entry.entity.js';
import type { WalletEntity } from './entities/wallet.entity.js';
import type { EntryKind, Hold, HoldState, LedgerEntry, Wallet } from './funding.js';

export function walletOf(row: WalletEntity): Wallet {
  const { organizationId, balanceMicros, heldMicros, updatedAt } = row;
  return { organizationId, balanceMicros, heldMicros, updatedAt };
}

export function holdOf(row: HoldEntity): Hold {
  const { callId, organizationId, amountMicros, chargedMicros, createdAt, closedAt } = row;
  const state = row.state as HoldState;
  return { callId, organizationId, amountMicros, state, chargedMicros, createdAt, closedAt };
}

export function entryOf({ createdByType, createdById, ...row }: LedgerEntryEntity): LedgerEntry {
  return {
    ...row,
    kind: row.kind as EntryKind,
    createdBy:
      createdByType === null || createdById === null ? null : { type: createdByType, id: createdById },
  };
}
