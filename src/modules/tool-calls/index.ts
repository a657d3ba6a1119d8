export type { CallStatus, ToolCall } from './tool-call.js';
export { ToolCallsModule } from './tool-calls.module.js';
export { ToolCallsService, type CallAnswer, type NewCallRequest } from './tool-calls.service.js';
