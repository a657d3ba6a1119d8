import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR, DiscoveryModule, ModuleRef } from '@nestjs/core';
import { StarlangLanguage } from '../../common/dsl/starlang-language.js';
import { workspaceResources } from '../../common/dsl/workspace-resources.js';
import { chainOrder } from '../../common/engine/interceptors/engine-chain.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { JsonSchemaValidator } from '../../common/platform/schema/json-schema-validator.js';
import { ControlComponent } from '../../components/control/index.js';
import { CronComponent } from '../../components/cron/index.js';
import { DirectComponent } from '../../components/direct/index.js';
import { FileComponent } from '../../components/file/index.js';
import { HttpServerComponent } from '../../components/http-server/http-server.component.js';
import { LogComponent } from '../../components/log/index.js';
import { MockComponent } from '../../components/mock/index.js';
import { SedaComponent } from '../../components/seda/index.js';
import { TimerComponent } from '../../components/timer/index.js';
import { ToolComponent } from '../../components/tool/index.js';
import { ToolShelf } from '../tools/index.js';
import { EdgeInterceptor } from './edge-interceptor.js';
import { EngineExplorer } from './engine-explorer.js';
import { EngineToolShelf } from './engine-tool-shelf.js';
import { FileWorkspaceSource } from './file-workspace-source.js';
import { StepMetrics } from './step-metrics.js';
import { systemClock } from './system-clock.js';
import { WorkflowEngine } from './workflow-engine.js';
import { WorkflowMetrics } from './workflow-metrics.js';
import { WorkspaceReload } from './workspace-reload.js';
import { WorkspaceSource } from './workspace-source.js';

/**
 * The engine as a part of the app. Global, so that any module may send through it; any module may bring components, step
 * types and interceptors by listing them among its providers. It keeps nothing in the database, so it has none of the
 * nine files of a data module.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    EngineExplorer,
    StepMetrics,
    WorkflowEngine,
    WorkflowMetrics,
    WorkspaceReload,
    {
      provide: StarlangLanguage,
      useFactory: ({ workflows }: HelixConfig) =>
        new StarlangLanguage({ readResource: workspaceResources(workflows) }),
      inject: [HelixConfig],
    },
    // The mirror: what stands around every step stands around every handler of the API, in the same order.
    ...chainOrder.map((name) => ({
      provide: APP_INTERCEPTOR,
      useFactory: (engine: WorkflowEngine) => new EdgeInterceptor(name, engine),
      inject: [WorkflowEngine],
    })),
    { provide: JsonSchemaValidator, useFactory: () => new JsonSchemaValidator() },
    { provide: WorkspaceSource, useClass: FileWorkspaceSource },
    { provide: ToolShelf, useClass: EngineToolShelf },
    { provide: DirectComponent, useFactory: () => new DirectComponent() },
    {
      provide: SedaComponent,
      useFactory: (log: HelixLog, ids: UuidV7) => new SedaComponent({ clock: systemClock, ids, log }),
      inject: [HelixLog, UuidV7],
    },
    { provide: TimerComponent, useFactory: () => new TimerComponent(systemClock) },
    {
      provide: ControlComponent,
      // The engine is made of the components, so it can only be asked for when a message comes.
      useFactory: (modules: ModuleRef) => new ControlComponent(() => modules.get(WorkflowEngine).engine),
      inject: [ModuleRef],
    },
    {
      provide: CronComponent,
      useFactory: (log: HelixLog) => new CronComponent(systemClock, log),
      inject: [HelixLog],
    },
    { provide: MockComponent, useFactory: () => new MockComponent(systemClock) },
    {
      provide: FileComponent,
      useFactory: (log: HelixLog, ids: UuidV7) => new FileComponent({ clock: systemClock, ids, log }),
      inject: [HelixLog, UuidV7],
    },
    {
      provide: LogComponent,
      useFactory: (log: HelixLog) => new LogComponent(log, systemClock),
      inject: [HelixLog],
    },
    {
      provide: ToolComponent,
      useFactory: (language: StarlangLanguage, validator: JsonSchemaValidator) =>
        new ToolComponent(language, validator),
      inject: [StarlangLanguage, JsonSchemaValidator],
    },
    {
      provide: HttpServerComponent,
      useFactory: (log: HelixLog, ids: UuidV7) => new HttpServerComponent({ log, ids, clock: systemClock }),
      inject: [HelixLog, UuidV7],
    },
  ],
  exports: [WorkflowEngine, WorkspaceReload, ToolShelf, ToolComponent, StarlangLanguage, JsonSchemaValidator],
})
export class WorkflowEngineModule {}
