import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/index.js';
import { ToolsModule } from '../tools/index.js';
import { CallJournal } from './call-journal.js';
import { CallPlanner } from './call-planner.js';
import { CallRunner } from './call-runner.js';
import { ToolCallEntity } from './tool-call.entity.js';
import { ToolCallsController } from './tool-calls.controller.js';
import { ToolCallsRepository } from './tool-calls.repository.js';
import { ToolCallsService } from './tool-calls.service.js';

/**
 * The durable call. More than the usual nine files, since a call is more than its row: call-planner.ts judges whether it
 * can be made, call-journal.ts holds the statements that make it durable, call-runner.ts runs it under a lease and
 * recovers those of lost nodes.
 */
@Module({
  imports: [TypeOrmModule.forFeature([ToolCallEntity]), OrganizationsModule, ToolsModule],
  controllers: [ToolCallsController],
  providers: [ToolCallsRepository, ToolCallsService, CallJournal, CallPlanner, CallRunner],
  exports: [ToolCallsService],
})
export class ToolCallsModule {}
