import type { LedgerEntryDto, ReservationDto, WalletDto } from './dto/funding.dto.js';
import { headroomOf, type Hold, type LedgerEntry, type Wallet } from './funding.js';

export function presentWallet(wallet: Wallet) {
  return {
    organizationId: wallet.organizationId,
    currency: 'USD',
    balanceMicros: wallet.balanceMicros,
    heldMicros: wallet.heldMicros,
    headroomMicros: headroomOf(wallet),
    updatedAt: wallet.updatedAt?.toISOString() ?? null,
  } satisfies WalletDto;
}

export function presentEntry(entry: LedgerEntry) {
  const { number, kind, amountMicros, balanceMicros, callId, reason, idempotencyKey, createdBy } = entry;
  return {
    number,
    kind,
    amountMicros,
    balanceMicros,
    callId,
    reason,
    idempotencyKey,
    createdBy,
    createdAt: entry.createdAt.toISOString(),
  } satisfies LedgerEntryDto;
}

export function presentReservation(hold: Hold) {
  return {
    callId: hold.callId,
    amountMicros: hold.amountMicros,
    state: hold.state,
    chargedMicros: hold.chargedMicros,
    createdAt: hold.createdAt.toISOString(),
    closedAt: hold.closedAt?.toISOString() ?? null,
  } satisfies ReservationDto;
}
