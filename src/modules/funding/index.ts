export { LedgerEntryDto, ReservationDto } from './dto/funding.dto.js';
export { presentEntry, presentReservation } from './funding.presenter.js';
export {
  type Hold,
  type LedgerEntry,
  canReserve,
  headroomOf,
  judgeCost,
  pendingCost,
  type CostVerdict,
  type Wallet,
} from './funding.js';
export { FundingModule } from './funding.module.js';
export { FundingService, type Movement } from './funding.service.js';
export { closeHolds, costColumns, judgeReservations, lockMoney, placeHolds } from './money-sql.js';
export { SpendCaps } from './spend-caps.js';
