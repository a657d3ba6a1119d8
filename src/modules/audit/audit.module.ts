import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrail } from '../access/index.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

/** The audit log. Global because it fills access' port `AuditTrail`, which every administrative service asks for. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity])],
  controllers: [AuditController],
  providers: [AuditRepository, AuditService, { provide: AuditTrail, useExisting: AuditService }],
  exports: [AuditService, AuditTrail],
})
export class AuditModule {}
