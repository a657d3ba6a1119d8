export { AuditModule } from './audit.module.js';
export { AuditService } from './audit.service.js';
export type { AuditEntry } from './audit-entry.js';
