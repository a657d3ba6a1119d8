export { NodeMcpHost, type McpHostParts } from './mcp-host.js';
