import type { AuditEntryEntity } from './audit-entry.entity.js';
import type { AuditEntry } from './audit-entry.js';

export function auditEntryOf(row: AuditEntryEntity): AuditEntry {
  return {
    id: row.id,
    organizationId: row.organizationId,
    action: row.action,
    actorType: row.actorType,
    actorId: row.actorId,
    userId: row.userId,
    target: row.target,
    details: { ...row.details },
    address: row.address,
    requestId: row.requestId,
    createdAt: row.createdAt,
  };
}
