export { NodeMcpHost, type McpHostParts } from './mcp-host.js';
export { McpServerModule } from './mcp-server.module.js';
