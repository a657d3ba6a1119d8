import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SpendLimits } from '../access/index.js';
import { HoldEntity } from './entities/hold.entity.js';
import { LedgerEntryEntity } from './entities/ledger-entry.entity.js';
import { SpendCapEntity } from './entities/spend-cap.entity.js';
import { WalletEntity } from './entities/wallet.entity.js';
import { FundingController } from './funding.controller.js';
import { FundingRepository } from './funding.repository.js';
import { FundingService } from './funding.service.js';
import { SpendCaps } from './spend-caps.js';

/**
 * Wallets, holds and ledgers. More than the usual nine files: money-sql.ts has the statements' pieces by which the call
 * journal reserves and settles, spend-caps.ts what single credentials may spend.
 * Global because it fills access' port `SpendLimits`, which access must not import.
 */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([WalletEntity, HoldEntity, LedgerEntryEntity, SpendCapEntity])],
  controllers: [FundingController],
  providers: [FundingRepository, FundingService, SpendCaps, { provide: SpendLimits, useExisting: SpendCaps }],
  exports: [FundingService, SpendCaps, SpendLimits],
})
export class FundingModule {}
