export type { ToolConnection, UsableConnection } from './connection.js';
export { ConnectionsModule } from './connections.module.js';
export { ConnectionsService } from './connections.service.js';
export { SaveMcpConnectionDto, ToolConnectionDto } from './dto/connection.dto.js';
