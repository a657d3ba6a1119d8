export { McpClientModule } from './mcp-client.module.js';
export { SdkMcpCaller } from './sdk/sdk-mcp-caller.js';
export type { SdkAnswer, SdkConnection, ToolList } from './sdk/sdk-connection.js';
