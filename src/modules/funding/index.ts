export { canReserve, headroomOf, judgeCost, pendingCost, type CostVerdict, type Wallet } from './funding.js';
export { FundingModule } from './funding.module.js';
export { FundingService } from './funding.service.js';
export { closeHolds, costColumns, judgeReservations, lockMoney, placeHolds } from './money-sql.js';
export { SpendCaps } from './spend-caps.js';
