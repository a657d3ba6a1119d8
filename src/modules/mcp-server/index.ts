export { NodeMcpHost } from './mcp-host.js';
export { McpServerModule } from './mcp-server.module.js';
export { WorkspaceMcpModule } from './workspace/workspace-mcp.module.js';
