import type { ConnectionEntity } from './connection.entity.js';
import type { ConnectionStatus, ToolConnection } from './connection.js';

export function connectionOf(row: ConnectionEntity, isReadable: boolean): ToolConnection {
  return {
    provider: row.provider,
    configured: true,
    organizationId: row.upstreamOrganizationId,
    status: isReadable ? (row.status as ConnectionStatus) : 'unreadable',
    lastVerifiedAt: row.lastVerifiedAt,
    lastUsedAt: row.lastUsedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
  };
}
