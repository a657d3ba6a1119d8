import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FundingModule } from '../funding/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { ToolsModule } from '../tools/index.js';
import { CallJournal } from './call-journal.js';
import { CallPlanner } from './call-planner.js';
import { CallRunner } from './call-runner.js';
import { CostJournal } from './cost-journal.js';
import { CostSettler } from './cost-settler.js';
import { OddCosts } from './odd-costs.js';
import { ToolCallEntity } from './tool-call.entity.js';
import { ToolCallsController } from './tool-calls.controller.js';
import { ToolCallsRepository } from './tool-calls.repository.js';
import { ToolCallsService } from './tool-calls.service.js';

/**
 * The durable call. More than the usual nine files, since a call is more than its row: call-planner.ts judges whether it
 * can be made, call-journal.ts holds the statements that make it durable, call-runner.ts runs it under a lease and
 * recovers those of lost nodes, cost-settler.ts finds out what costs became that were not known at the end.
 */
@Module({
  imports: [TypeOrmModule.forFeature([ToolCallEntity]), FundingModule, OrganizationsModule, ToolsModule],
  controllers: [ToolCallsController],
  providers: [
    ToolCallsRepository,
    ToolCallsService,
    CallJournal,
    CallPlanner,
    CallRunner,
    CostJournal,
    CostSettler,
    OddCosts,
  ],
  exports: [ToolCallsService],
})
export class ToolCallsModule {}
