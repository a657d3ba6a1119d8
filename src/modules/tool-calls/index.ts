export type { ToolCall } from './tool-call.js';
export { ToolCallsModule } from './tool-calls.module.js';
export { ToolCallsService } from './tool-calls.service.js';
