import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/index.js';
import { WorkflowGraphsController } from './workflow-graphs.controller.js';
import { WorkflowHealth } from './workflow-health.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsService } from './workflows.service.js';
import { WorkspaceSchemaController } from './workspace-schema.controller.js';

/** The running workflows over the API. It keeps nothing in the database, so it has none of the files for that. */
@Module({
  imports: [OrganizationsModule],
  controllers: [WorkflowGraphsController, WorkflowsController, WorkspaceSchemaController],
  providers: [WorkflowsService, WorkflowHealth],
})
export class WorkflowsModule {}
