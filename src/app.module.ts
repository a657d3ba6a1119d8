import { Module } from '@nestjs/common';
import { AccessModule } from './modules/access/index.js';
import { AuditModule } from './modules/audit/index.js';
import { ConnectionsModule } from './modules/connections/index.js';
import { DeadLettersModule } from './modules/dead-letters/index.js';
import { FundingModule } from './modules/funding/index.js';
import { HealthModule } from './modules/health/index.js';
import { HttpClientModule } from './modules/http-client/index.js';
import { McpClientModule } from './modules/mcp-client/index.js';
import { McpServerModule, WorkspaceMcpModule } from './modules/mcp-server/index.js';
import { OrganizationsModule } from './modules/organizations/index.js';
import { SqlModule } from './modules/sql/index.js';
import { ToolCallsModule } from './modules/tool-calls/index.js';
import { ToolsModule } from './modules/tools/index.js';
import { WorkflowEngineModule } from './modules/workflow-engine/index.js';
import { WorkflowsModule } from './modules/workflows/index.js';

/** Every module of Helix. The platform wing comes with `HelixApp.create` and needs no import. */
@Module({
  imports: [
    HealthModule,
    WorkflowEngineModule,
    AccessModule,
    OrganizationsModule,
    AuditModule,
    ToolsModule,
    ConnectionsModule,
    FundingModule,
    ToolCallsModule,
    DeadLettersModule,
    HttpClientModule,
    SqlModule,
    McpClientModule,
    McpServerModule,
    WorkspaceMcpModule,
    WorkflowsModule,
  ],
})
export class AppModule {}
