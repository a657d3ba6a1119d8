import { isScope } from '../scope.js';
import type { ApiKey } from './api-key.js';
import type { ApiKeyEntity } from './api-key.entity.js';

export function apiKeyOf(row: ApiKeyEntity): ApiKey {
  return {
    id: row.id,
    kind: row.kind === 'task' ? 'task' : 'sk',
    organizationId: row.organizationId,
    userId: row.userId,
    name: row.name,
    scopes: row.scopes.filter(isScope),
    projectIds: row.projectIds,
    operations: row.operations,
    toolIds: row.toolIds,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    lastUsedAt: row.lastUsedAt,
    createdAt: row.createdAt,
    previousUntil: row.previousUntil,
    revision: row.revision,
  };
}
