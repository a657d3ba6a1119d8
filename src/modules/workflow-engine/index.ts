export { WorkflowEngine } from './workflow-engine.js';
export { WorkflowEngineModule } from './workflow-engine.module.js';
export { type LoadedWorkspace, type WorkspaceGauge, WorkspaceSource } from './workspace-source.js';
export { reloadOnHangUp } from './reload-on-hang-up.js';
export { WorkspaceReload } from './workspace-reload.js';
export { systemClock } from './system-clock.js';
export { EdgeInterceptor } from './edge-interceptor.js';
