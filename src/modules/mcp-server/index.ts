export { McpServerModule } from './mcp-server.module.js';
export { WorkspaceMcpModule } from './workspace/workspace-mcp.module.js';
